// Two counting sorts: of the samples by where they lie, then of what each gives to which cells, the
// second shared by threads, whose columns are their own.
#include "tomo/dfr/gridding.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

#include "tomo/bytes.h"
#include "tomo/share.h"

namespace stend::tomo::dfr {
namespace {

// Where a sample lies, in cells; rows of the grid go down the image, y up.
struct Point {
    double u, v;  // u is not negative
};

class Polar {
public:
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

    // Calls visit(sample, point), angle after angle.
    template <typename Visit>
    void each(Visit visit) const {
        std::size_t sample = 0;
        for (const Point& direction : directions_)
            for (const double frequency : frequencies_)
                visit(sample++, Point{direction.u * frequency, direction.v * frequency});
    }

private:
    std::vector<double> frequencies_;  // cycles a detector pixel
    std::vector<Point> directions_;    // of the angles, as far as one cycle a pixel
};

// A counting sort by the cell that a sample lies in: which point is at each place, where each
// sample is, and where each column begins.
std::vector<Point> sorted(const Polar& polar, const Geometry& geometry, Gridding& gridding) {
    const std::size_t rows = geometry.grid + 1, cells = (geometry.columns + 1) * rows;
    const auto cell = [rows](const Point& point) {
        const auto row = static_cast<std::size_t>(point.v + static_cast<double>(rows / 2));
        return static_cast<std::size_t>(point.u) * rows + row;
    };
    const Buffer<std::uint32_t> counts(cells);
    std::uint32_t* const next = counts.data();
    polar.each([&](std::size_t, const Point& point) { ++next[cell(point) + 1]; });
    for (std::size_t i = 1; i < cells; ++i) next[i] += next[i - 1];
    for (std::size_t i = 0; i < cells; i += rows) gridding.columns.push_back(next[i]);
    gridding.places = Buffer<std::uint32_t>(polar.count());
    std::vector<Point> points(polar.count());
    polar.each([&](std::size_t sample, const Point& point) {
        const std::uint32_t place = next[cell(point)]++;
        gridding.places.data()[sample] = place;
        points[place] = point;
    });
    return points;
}

// Columns of the grid's right half, the piece of one thread.
struct Columns {
    std::size_t first, last;

    bool hold(long column) const { return static_cast<std::size_t>(column) - first < last - first; }
};

// Calls visit(pair, upper, lower) for the pairs of rows that a sample reaches, those over the edge
// wrapped.
template <typename Visit>
void each_pair(const Kernel::Reach& rows, long pairs, Visit visit) {
    std::array<double, kernel_width + 2> weights{};  // a pair's cell may lie beside them
    std::ranges::copy(rows.weights, weights.begin() + 1);
    for (long pair = rows.first >> 1; 2 * pair < rows.first + kernel_width; ++pair) {
        const auto i = static_cast<std::size_t>(2 * pair - rows.first + 1);
        visit(pair < 0        ? pair + pairs
              : pair >= pairs ? pair - pairs
                              : pair,
              weights[i], weights[i + 1]);
    }
}

Kernel::Reach mirrored(const Kernel::Reach& reach) {
    Kernel::Reach other{-(reach.first + kernel_width - 1), reach.weights};
    std::ranges::reverse(other.weights);
    return other;
}

// Calls direct(cells, place, upper, lower) and conjugate(…) for the pairs of cells of those columns
// that samples and their conjugates reach, places ascending; reach(position) is the kernel's.
template <typename Reach, typename Direct, typename Conjugate>
void each_entry(const std::vector<Point>& points, const Gridding& gridding,
                const Geometry& geometry, const Columns& mine, Reach reach, Direct direct,
                Conjugate conjugate) {
    const auto side = static_cast<long>(geometry.grid), last = side / 2;
    constexpr std::size_t half = kernel_width / 2;
    const std::vector<std::uint32_t>& columns = gridding.columns;
    const std::size_t from = mine.first - std::min(mine.first, half);
    const std::size_t to = std::min(mine.last + half, columns.size() - 1);
    for (std::uint32_t place = columns[from]; place < columns[to]; ++place) {
        const auto [u, v] = points[place];
        const Kernel::Reach across = reach(u), down = reach(v);
        for (int j = 0; j < kernel_width; ++j) {
            const long column = across.first + j;
            const long opposite = column <= 0 ? -column : side - column;
            const auto to = [place, last, weight = across.weights[j]](auto visit, long right) {
                return [=](long pair, double upper, double lower) {
                    visit(right * last + pair, place, weight * upper, weight * lower);
                };
            };
            if (column >= 0 && column <= last && mine.hold(column))
                each_pair(down, last, to(direct, column));
            if ((column <= 0 || column >= last) && mine.hold(opposite))
                each_pair(mirrored(down), last, to(conjugate, opposite));
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
    const std::vector<Point> points = sorted(polar, geometry, gridding);
    Team team(Unbound{}, plan.threads);
    const auto to_columns = [&](const auto& reach, const auto& direct, const auto& conjugate) {
        share(team, geometry.columns, [&](std::size_t first, std::size_t last, unsigned) {
            each_entry(points, gridding, geometry, {first, last}, reach, direct, conjugate);
        });
    };
    for (Lists* lists : {&gridding.direct, &gridding.conjugate})
        lists->begin = Buffer<std::uint32_t>(cells + 2);
    const auto count = [](Lists& lists) {
        return [begin = lists.begin.data()](long cell, auto, double, double) { ++begin[cell + 2]; };
    };
    to_columns(
        [](double position) {
            return Kernel::Reach{Kernel::first(position), {}};
        },
        count(gridding.direct), count(gridding.conjugate));
    accumulate(gridding.direct, cells);
    accumulate(gridding.conjugate, cells);
    const auto fill = [](Lists& lists) {
        return [&lists](long cell, std::uint32_t place, double upper, double lower) {
            put(lists, cell, place, upper, lower);
        };
    };
    to_columns([&](double position) { return kernel.reach(position); }, fill(gridding.direct),
               fill(gridding.conjugate));
    return gridding;
}

std::size_t Gridding::bytes() const {
    return bytes_of(places) + bytes_of(columns) + bytes_of(direct.begin) +
           bytes_of(direct.entries) + bytes_of(conjugate.begin) + bytes_of(conjugate.entries);
}

}  // namespace stend::tomo::dfr
