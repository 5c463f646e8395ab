// A counting sort of every sample's 16 cells, in two passes over the samples.
#include "tomo/dfr/gridding.h"

#include <cmath>

namespace stend::tomo::dfr {
namespace {

// Calls visit(sample, u, v) for each sample: where it lies, in cells; u is not negative. Rows of
// the grid go down the image, y up.
template <typename Visit>
void each_sample(const Plan& plan, const Geometry& geometry, const std::vector<Band>& bands,
                 Visit visit) {
    const double cells = static_cast<double>(geometry.grid) * plan.pixel;  // of a cycle a pixel
    std::uint32_t sample = 0;
    for (const double angle : plan.angles) {
        const double side = is_opposite(angle) ? -1 : 1;
        const double u = side * std::cos(angle) * cells, v = -side * std::sin(angle) * cells;
        for (const Band& band : bands)
            for (std::size_t i = 0; i < band.count; ++i) {
                const double frequency =
                    static_cast<double>(band.first + i) / static_cast<double>(band.period);
                visit(sample++, u * frequency, v * frequency);
            }
    }
}

// Calls direct(cell, sample, weight) and conjugate(…) for the cells of the right half that samples
// and their conjugates reach.
template <typename Direct, typename Conjugate>
void each_entry(const Plan& plan, const Geometry& geometry, const std::vector<Band>& bands,
                const Kernel& kernel, Direct direct, Conjugate conjugate) {
    const auto side = static_cast<long>(geometry.grid), last = side / 2;
    const auto wrapped = [side](long v) { return v < 0 ? v + side : v >= side ? v - side : v; };
    each_sample(plan, geometry, bands, [&](std::uint32_t sample, double u, double v) {
        const Kernel::Reach across = kernel.reach(u), down = kernel.reach(v);
        for (int j = 0; j < kernel_width; ++j) {
            const long column = across.first + j;
            for (int i = 0; i < kernel_width; ++i) {
                const double weight = across.weights[j] * down.weights[i];
                if (weight == 0) continue;
                const long row = down.first + i;
                if (column >= 0 && column <= last)
                    direct(column * side + wrapped(row), sample, weight);
                if (column <= 0 || column >= last)
                    conjugate((column <= 0 ? -column : side - column) * side + wrapped(-row),
                              sample, weight);
            }
        }
    });
}

// From counts, shifted by two, to where each cell's next entry goes, shifted by one: filling
// advances each to where the next cell begins.
void accumulate(Lists& lists, std::size_t cells) {
    std::uint32_t* begin = lists.begin.data();
    for (std::size_t cell = 2; cell < cells + 2; ++cell) begin[cell] += begin[cell - 1];
    lists.count = begin[cells + 1];
    lists.entries = Buffer<Entry>(lists.count + entries_ahead);
}

void put(Lists& lists, long cell, std::uint32_t sample, double weight) {
    lists.entries.data()[lists.begin.data()[cell + 1]++] = {sample, static_cast<float>(weight)};
}

}  // namespace

Gridding gridding_of(const Plan& plan, const Geometry& geometry, const std::vector<Band>& bands,
                     const Kernel& kernel) {
    const std::size_t cells = geometry.columns * geometry.grid;
    Gridding gridding;
    gridding.direct.begin = Buffer<std::uint32_t>(cells + 2);
    gridding.conjugate.begin = Buffer<std::uint32_t>(cells + 2);
    const auto count = [](Lists& lists) {
        return [begin = lists.begin.data()](long cell, auto, double) { ++begin[cell + 2]; };
    };
    each_entry(plan, geometry, bands, kernel, count(gridding.direct), count(gridding.conjugate));
    accumulate(gridding.direct, cells);
    accumulate(gridding.conjugate, cells);
    const auto fill = [](Lists& lists) {
        return [&lists](long cell, std::uint32_t sample, double weight) {
            put(lists, cell, sample, weight);
        };
    };
    each_entry(plan, geometry, bands, kernel, fill(gridding.direct), fill(gridding.conjugate));
    return gridding;
}

std::size_t Gridding::bytes() const {
    return (direct.begin.span().size() + conjugate.begin.span().size()) * sizeof(std::uint32_t) +
           (direct.count + conjugate.count) * sizeof(Entry);
}

}  // namespace stend::tomo::dfr
