// Two counting sorts: of the samples by where they lie, then of what each gives to which cells.
#include "tomo/dfr/gridding.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "tomo/bytes.h"

namespace stend::tomo::dfr {
namespace {

// Where samples lie, in cells; rows of the grid go down the image, y up.
class Polar {
public:
    struct Point {
        double u, v;  // u is not negative
    };

    Polar(const Plan& plan, const Geometry& geometry, const std::vector<Band>& bands) {
        for (const Band& band : bands)
            for (std::size_t i = 0; i < band.count; ++i)
                frequencies_.push_back(static_cast<double>(band.first + i) /
                                       static_cast<double>(band.period));
        const double cells = static_cast<double>(geometry.grid) * plan.pixel;
        for (const double angle : plan.angles) {
            const double side = is_opposite(angle) ? -cells : cells;
            directions_.push_back({side * std::cos(angle), -side * std::sin(angle)});
        }
    }

    std::size_t count() const { return directions_.size() * frequencies_.size(); }

    Point operator[](std::size_t sample) const {
        const Point& direction = directions_[sample / frequencies_.size()];
        const double frequency = frequencies_[sample % frequencies_.size()];
        return {direction.u * frequency, direction.v * frequency};
    }

private:
    std::vector<double> frequencies_;  // cycles a detector pixel
    std::vector<Point> directions_;    // of the angles, as far as one cycle a pixel
};

// A counting sort by the cell that a sample lies in: which sample is at each place, where each
// sample is, and where each column begins.
std::vector<std::uint32_t> sorted(const Polar& polar, const Geometry& geometry,
                                  Gridding& gridding) {
    const auto cell = [&](std::size_t sample) {
        const auto [u, v] = polar[sample];
        const auto row = static_cast<std::size_t>(v + static_cast<double>(geometry.grid));
        return static_cast<std::size_t>(u) * 2 * geometry.grid + row;
    };
    std::vector<std::uint32_t> next((geometry.columns + 1) * 2 * geometry.grid);
    for (std::size_t sample = 0; sample < polar.count(); ++sample) ++next[cell(sample) + 1];
    for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
    for (std::size_t i = 0; i < next.size(); i += 2 * geometry.grid)
        gridding.columns.push_back(next[i]);
    gridding.places = Buffer<std::uint32_t>(polar.count());
    std::vector<std::uint32_t> order(polar.count());
    for (std::size_t sample = 0; sample < polar.count(); ++sample) {
        const std::uint32_t place = next[cell(sample)]++;
        gridding.places.data()[sample] = place;
        order[place] = static_cast<std::uint32_t>(sample);
    }
    return order;
}

// Calls visit(pair, upper, lower) for the pairs of rows that a sample reaches, those over the edge
// wrapped.
template <typename Visit>
void each_pair(const Kernel::Reach& rows, long pairs, Visit visit) {
    const auto weight = [&](long i) {
        return i < 0 || i >= kernel_width ? 0 : rows.weights[static_cast<std::size_t>(i)];
    };
    for (long pair = rows.first >> 1; 2 * pair < rows.first + kernel_width; ++pair) {
        const long i = 2 * pair - rows.first;
        visit(pair < 0        ? pair + pairs
              : pair >= pairs ? pair - pairs
                              : pair,
              weight(i), weight(i + 1));
    }
}

Kernel::Reach mirrored(const Kernel::Reach& reach) {
    Kernel::Reach other{-(reach.first + kernel_width - 1), reach.weights};
    std::ranges::reverse(other.weights);
    return other;
}

// Calls direct(cells, place, upper, lower) and conjugate(…) for the pairs of cells of the right
// half that samples and their conjugates reach, places ascending.
template <typename Direct, typename Conjugate>
void each_entry(const Polar& polar, const std::vector<std::uint32_t>& order,
                const Geometry& geometry, const Kernel& kernel, Direct direct,
                Conjugate conjugate) {
    const auto side = static_cast<long>(geometry.grid), last = side / 2;
    for (std::uint32_t place = 0; place < order.size(); ++place) {
        const auto [u, v] = polar[order[place]];
        const Kernel::Reach across = kernel.reach(u), down = kernel.reach(v);
        for (int j = 0; j < kernel_width; ++j) {
            const long column = across.first + j;
            const double weight = across.weights[j];
            const auto to = [&](auto visit, long right) {
                return [=](long pair, double upper, double lower) {
                    visit(right * last + pair, place, weight * upper, weight * lower);
                };
            };
            if (column >= 0 && column <= last) each_pair(down, last, to(direct, column));
            if (column <= 0 || column >= last)
                each_pair(mirrored(down), last,
                          to(conjugate, column <= 0 ? -column : side - column));
        }
    }
}

// Entries are counted in 32 bits; a sample has at most three pairs of rows in each column.
void check_count(std::size_t samples) {
    constexpr std::size_t most = UINT32_MAX / (3 * kernel_width);
    if (samples > most)
        throw std::invalid_argument(
            "The projections have " + std::to_string(samples) + " Fourier samples, more than the " +
            std::to_string(most) +
            " that the grid's lists hold; reconstruct from fewer angles or smaller projections.");
}

// From counts, shifted by two, to where each cell's next entry goes, shifted by one: filling
// advances each to where the next cell begins.
void accumulate(Lists& lists, std::size_t cells) {
    std::uint32_t* begin = lists.begin.data();
    for (std::size_t cell = 2; cell < cells + 2; ++cell) begin[cell] += begin[cell - 1];
    lists.count = begin[cells + 1];
    lists.entries = Buffer<Entry>(lists.count);
}

void put(Lists& lists, long cell, std::uint32_t place, double upper, double lower) {
    lists.entries.data()[lists.begin.data()[cell + 1]++] = {place, static_cast<float>(upper),
                                                            static_cast<float>(lower)};
}

}  // namespace

Gridding gridding_of(const Plan& plan, const Geometry& geometry, const std::vector<Band>& bands,
                     const Kernel& kernel) {
    const std::size_t cells = geometry.columns * geometry.grid / 2;
    Gridding gridding;
    const Polar polar(plan, geometry, bands);
    check_count(polar.count());
    const std::vector<std::uint32_t> order = sorted(polar, geometry, gridding);
    gridding.direct.begin = Buffer<std::uint32_t>(cells + 2);
    gridding.conjugate.begin = Buffer<std::uint32_t>(cells + 2);
    const auto count = [](Lists& lists) {
        return [begin = lists.begin.data()](long cell, auto, double, double) { ++begin[cell + 2]; };
    };
    each_entry(polar, order, geometry, kernel, count(gridding.direct), count(gridding.conjugate));
    accumulate(gridding.direct, cells);
    accumulate(gridding.conjugate, cells);
    const auto fill = [](Lists& lists) {
        return [&lists](long cell, std::uint32_t place, double upper, double lower) {
            put(lists, cell, place, upper, lower);
        };
    };
    each_entry(polar, order, geometry, kernel, fill(gridding.direct), fill(gridding.conjugate));
    return gridding;
}

std::size_t Gridding::bytes() const {
    return bytes_of(places) + bytes_of(direct.begin) + bytes_of(direct.entries) +
           bytes_of(conjugate.begin) + bytes_of(conjugate.entries);
}

}  // namespace stend::tomo::dfr
