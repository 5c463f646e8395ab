// One slice at a time, in double precision, by the weights' formula: each pixel against the
// detector pixels in its shadow. What every variant is compared with.
#include <algorithm>

#include "tomo/iterative/kernels.h"
#include "tomo/iterative/vectors.h"

namespace stend::tomo::iterative {
namespace {

struct One {
    static constexpr unsigned count = 1;
    using Float = float;
    static void transpose(Float (&)[1]) {}
};

// Calls work(i, a_ij) for each detector pixel i in the pixel's shadow.
template <typename Work>
void for_each_in_shadow(const Rays& rays, std::size_t angle, std::size_t row, std::size_t column,
                        Work work) {
    const Rays::Angle& at = rays.angles[angle];
    const double s = at.origin + static_cast<double>(column) * at.along_row +
                     static_cast<double>(row) * at.along_column;
    const double half = at.half_width(), area = rays.pixel * rays.pixel;
    const double end = static_cast<double>(rays.detectors) - 1;
    for (double i = std::max(0.0, std::ceil(s - half)); i <= std::min(end, s + half); ++i)
        work(static_cast<std::size_t>(i), area / (half * half) * (half - std::abs(i - s)));
}

void project(const Rays& rays, const float* slice, float* sinogram, std::size_t first,
             std::size_t last, float* scratch) {
    auto* const sums = reinterpret_cast<double*>(scratch);
    for (std::size_t a = first; a < last; ++a) {
        std::fill_n(sums, rays.detectors, 0.0);
        for (std::size_t row = 0; row < rays.size; ++row)
            for (std::size_t column = 0; column < rays.size; ++column)
                for_each_in_shadow(rays, a, row, column, [&](std::size_t i, double weight) {
                    sums[i] += weight * static_cast<double>(slice[row * rays.size + column]);
                });
        for (std::size_t i = 0; i < rays.detectors; ++i)
            sinogram[a * rays.detectors + i] = static_cast<float>(sums[i]);
    }
}

std::size_t a_row_of_doubles(const Rays& rays) {
    return 2 * rays.detectors;
}

std::size_t rows(const Rays& rays) {
    return rays.size;
}

void back_project(const Rays& rays, const float* sinogram, float* slice, std::size_t first,
                  std::size_t last, float* /*scratch*/) {
    for (std::size_t row = first; row < last; ++row)
        for (std::size_t column = 0; column < rays.size; ++column) {
            double sum = 0;
            for (std::size_t a = 0; a < rays.angles.size(); ++a)
                for_each_in_shadow(rays, a, row, column, [&](std::size_t i, double weight) {
                    sum += weight * static_cast<double>(sinogram[a * rays.detectors + i]);
                });
            slice[row * rays.size + column] = static_cast<float>(sum);
        }
}

}  // namespace

constinit const Kernels reference = {"reference",
                                     {},
                                     1,
                                     a_row_of_doubles,
                                     project,
                                     rows,
                                     back_project,
                                     load_rows<One>,
                                     unload_rows<One>,
                                     subtract<One>,
                                     advance<One>,
                                     turn<One>,
                                     hold<One>,
                                     keep_held<One>,
                                     squares<One>};

}  // namespace stend::tomo::iterative
