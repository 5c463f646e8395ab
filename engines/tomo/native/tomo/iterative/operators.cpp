// Sums are made row by row, and then of the rows in their order, so that they don't depend on the
// threads.
#include "tomo/iterative/operators.h"

#include "isa/variant.h"
#include "tomo/bytes.h"
#include "tomo/checks.h"
#include "tomo/share.h"
#include "tomo/views.h"

namespace stend::tomo::iterative {
namespace {

Rays rays_of(const ParallelBeam& beam, const SliceGrid& grid) {
    const double center = checked_center(beam);
    check_angles(beam.angles);
    check_grid(grid);
    Rays rays{beam.detectors, grid.size, grid.pixel, {}};
    const double middle = (static_cast<double>(grid.size) - 1) / 2;
    for (std::size_t i = 0; i < beam.angles.size(); ++i) {
        const double along_row = grid.pixel * std::cos(beam.angles[i]);
        const double along_column = -grid.pixel * std::sin(beam.angles[i]);
        rays.angles.push_back({center - middle * (along_row + along_column), along_row,
                               along_column, std::abs(along_row) >= std::abs(along_column)});
    }
    return rays;
}

}  // namespace

Operators::Operators(const ParallelBeam& beam, const SliceGrid& grid, const OnThreads& how)
    : rays_(rays_of(beam, grid)),
      kernels_(chosen(variants(), how.variant)),
      threads_((check_threads(how.threads), how.threads)),
      lent_(kernels_.scratch(rays_)),
      scratch_(threads_ * lent_) {}

Vectors Operators::vectors(std::size_t rows, std::size_t columns) const {
    return {Buffer<float>(rows * columns * kernels_.lanes), rows, columns};
}

std::size_t Operators::bytes() const {
    return bytes_of(rays_.angles) + bytes_of(scratch_);
}

void Operators::project(Team& team, const Vectors& slice, const Vectors& sinogram) const {
    share(team, sinogram.rows, [&](std::size_t first, std::size_t last, unsigned member) {
        kernels_.project(rays_, slice.values.data(), sinogram.values.data(), first, last,
                         scratch_.data() + member * lent_);
    });
}

void Operators::back_project(Team& team, const Vectors& sinogram, const Vectors& slice) const {
    share(team, kernels_.tiles(rays_), [&](std::size_t first, std::size_t last, unsigned member) {
        kernels_.back_project(rays_, sinogram.values.data(), slice.values.data(), first, last,
                              scratch_.data() + member * lent_);
    });
}

namespace {

// Where row `row` of each lane's slice lies.
template <typename T>
Each<T*> rows_of(T* data, std::ptrdiff_t slice_stride, std::ptrdiff_t row_stride, Together together,
                 std::size_t row) {
    Each<T*> rows{};
    for (unsigned lane = 0; lane < most_lanes; ++lane)
        rows[lane] =
            data +
            static_cast<std::ptrdiff_t>(together.first + lane % together.count) * slice_stride +
            static_cast<std::ptrdiff_t>(row) * row_stride;
    return rows;
}

void load_rows(Team& team, const Kernels& kernels, const float* data, std::ptrdiff_t slice_stride,
               std::ptrdiff_t row_stride, Together together, const Vectors& to) {
    share_each(team, to.rows, [&](std::size_t row, unsigned) {
        kernels.load(rows_of(data, slice_stride, row_stride, together, row).data(), to.columns,
                     to.row(row, kernels.lanes));
    });
}

void unload_rows(Team& team, const Kernels& kernels, const Vectors& from, Together together,
                 float* data, std::ptrdiff_t slice_stride, std::ptrdiff_t row_stride) {
    share_each(team, from.rows, [&](std::size_t row, unsigned) {
        kernels.unload(from.row(row, kernels.lanes), from.columns,
                       rows_of(data, slice_stride, row_stride, together, row).data(),
                       together.count);
    });
}

}  // namespace

void Operators::check(const Sinograms& from, std::size_t slices) const {
    check_read("The sinograms", {from.data, slices, angles(), rays_.detectors, from.slice_stride,
                                 from.angle_stride});
}

void Operators::check(const SlicesToRead& from, std::size_t slices) const {
    check_read("The slices",
               {from.data, slices, rays_.size, rays_.size, from.slice_stride, from.row_stride});
}

void Operators::check(const Slices& to, std::size_t slices) const {
    check_written("The slices",
                  {to.data, slices, rays_.size, rays_.size, to.slice_stride, to.row_stride});
}

void Operators::check(const SinogramsToWrite& to, std::size_t slices) const {
    check_written("The sinograms",
                  {to.data, slices, angles(), rays_.detectors, to.slice_stride, to.angle_stride});
}

void Operators::load(Team& team, const Sinograms& from, Together together,
                     const Vectors& to) const {
    load_rows(team, kernels_, from.data, from.slice_stride, from.angle_stride, together, to);
}

void Operators::load(Team& team, const SlicesToRead& from, Together together,
                     const Vectors& to) const {
    load_rows(team, kernels_, from.data, from.slice_stride, from.row_stride, together, to);
}

void Operators::unload(Team& team, const Vectors& from, Together together, const Slices& to) const {
    unload_rows(team, kernels_, from, together, to.data, to.slice_stride, to.row_stride);
}

void Operators::unload(Team& team, const Vectors& from, Together together,
                       const SinogramsToWrite& to) const {
    unload_rows(team, kernels_, from, together, to.data, to.slice_stride, to.angle_stride);
}

template <typename Work>
Each<double> Operators::sum_of_rows(Team& team, std::size_t rows, const Work& work) const {
    std::vector<Each<double>> sums(rows);
    share_each(team, rows, [&](std::size_t row, unsigned) { work(row, sums[row].data()); });
    Each<double> all{};
    for (const Each<double>& sum : sums)
        for (unsigned lane = 0; lane < kernels_.lanes; ++lane) all[lane] += sum[lane];
    return all;
}

Each<double> Operators::subtract(Team& team, const Vectors& b, const Vectors& q,
                                 std::span<const float> weights, const Vectors& difference) const {
    const unsigned lanes = kernels_.lanes;
    return sum_of_rows(team, b.rows, [&](std::size_t row, double* sums) {
        kernels_.subtract(b.row(row, lanes), q.row(row, lanes),
                          weights.empty() ? nullptr : &weights[row * b.columns], b.columns,
                          difference.row(row, lanes), sums);
    });
}

void Operators::advance(Team& team, const Vectors& x, const Each<float>& step, const Vectors& s,
                        std::span<const float> weights, bool clamp) const {
    const unsigned lanes = kernels_.lanes;
    share_each(team, x.rows, [&](std::size_t row, unsigned) {
        kernels_.advance(x.row(row, lanes), step.data(), s.row(row, lanes),
                         weights.empty() ? nullptr : &weights[row * x.columns], x.columns, clamp);
    });
}

void Operators::turn(Team& team, const Vectors& d, const Each<float>& step,
                     const Vectors& s) const {
    const unsigned lanes = kernels_.lanes;
    share_each(team, d.rows, [&](std::size_t row, unsigned) {
        kernels_.turn(d.row(row, lanes), step.data(), s.row(row, lanes), d.columns);
    });
}

void Operators::hold(Team& team, const Vectors& s, const Vectors& x) const {
    const unsigned lanes = kernels_.lanes;
    share_each(team, s.rows, [&](std::size_t row, unsigned) {
        kernels_.hold(s.row(row, lanes), x.row(row, lanes), s.columns);
    });
}

void Operators::keep_held(Team& team, const Vectors& s, const Vectors& d) const {
    const unsigned lanes = kernels_.lanes;
    share_each(team, s.rows, [&](std::size_t row, unsigned) {
        kernels_.keep_held(s.row(row, lanes), d.row(row, lanes), s.columns);
    });
}

Each<double> Operators::squares(Team& team, const Vectors& x) const {
    return sum_of_rows(team, x.rows, [&](std::size_t row, double* sums) {
        kernels_.squares(x.row(row, kernels_.lanes), x.columns, sums);
    });
}

void Operators::for_each_batch(std::size_t slices,
                               const std::function<void(Together)>& work) const {
    for (std::size_t first = 0; first < slices; first += kernels_.lanes)
        work({first, static_cast<unsigned>(std::min<std::size_t>(kernels_.lanes, slices - first))});
}

}  // namespace stend::tomo::iterative
