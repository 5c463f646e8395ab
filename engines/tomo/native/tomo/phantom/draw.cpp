// Pictures of phantoms: along a line of pixels an ellipse fills an interval, whose share of each
// pixel is exact. Sums are of integers, so that what is empty is exactly 0.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "tomo/checks.h"
#include "tomo/phantom/view.h"
#include "tomo/share.h"
#include "tomo/views.h"

namespace stend::tomo {
namespace {

using namespace ellipsoids;

constexpr std::size_t rows_an_item = 16;

// Adds `value` to all of a row that is right of `edge`, in pixels from the row's left end, to the
// row's differences: their sums from the left are the row.
void step(std::vector<std::int64_t>& differences, double edge, std::int64_t value) {
    const double end = static_cast<double>(differences.size()) - 1;
    const double inside = std::clamp(edge, 0.0, end);
    const auto pixel = static_cast<std::size_t>(std::min(inside, end - 1));
    const double right = inside - static_cast<double>(pixel);
    const auto next = static_cast<std::int64_t>(static_cast<double>(value) * right);
    differences[pixel] += value - next;
    differences[pixel + 1] += next;
}

// Lengths in pixels of the slice.
void fill(std::vector<std::int64_t>& differences, const Ellipse& ellipse, double y, double pixel,
          double scale) {
    const double up = y - ellipse.y;
    const double left = 1 - up * up / ellipse.yy;
    if (!(left > 0)) return;
    const double half = std::sqrt((ellipse.xx - ellipse.xy * ellipse.xy / ellipse.yy) * left);
    const double x = ellipse.x + ellipse.xy / ellipse.yy * up;
    const double middle = (static_cast<double>(differences.size()) - 1) / 2;
    const auto value = static_cast<std::int64_t>(ellipse.value * scale);
    step(differences, (x - half) / pixel + middle, value);
    step(differences, (x + half) / pixel + middle, -value);
}

}  // namespace

void draw(std::span<const Ellipsoid> phantom, std::size_t detectors, const SliceGrid& grid,
          const PhantomView& view, const Fineness& fineness, std::size_t first, std::size_t last,
          const Slices& to) {
    check_count("The number of detector pixels", detectors);
    check_grid(grid);
    check_count("The number of lines in a pixel", fineness.lines);
    check_count("The number of planes in a slice", fineness.planes);
    const Rows slices(phantom, view, unit_of(view, detectors), even_places(fineness.planes), first,
                      last);
    const Places lines = even_places(fineness.lines);
    check_written("The slices",
                  {to.data, last - first, grid.size, grid.size, to.slice_stride, to.row_stride});

    struct Member {
        std::vector<Ellipse> ellipses;
        std::vector<std::int64_t> differences;
    };
    std::vector<Member> members(view.threads);
    for (Member& member : members) {
        member.ellipses.reserve(slices.most());
        member.differences.resize(grid.size + 1);
    }

    const auto draw_row = [&](Member& mine, std::size_t row, float* out) {
        const double middle = (static_cast<double>(grid.size) - 1) / 2;
        std::ranges::fill(mine.differences, 0);
        for (const auto& [offset, weight] : lines)
            for (const Ellipse& ellipse : mine.ellipses)
                fill(mine.differences, ellipse,
                     (middle - static_cast<double>(row) + offset) * grid.pixel, grid.pixel,
                     weight * slices.scale());
        std::int64_t sum = 0;
        for (std::size_t x = 0; x < grid.size; ++x)
            out[x] = static_cast<float>(static_cast<double>(sum += mine.differences[x]) /
                                        slices.scale());
    };

    const std::size_t blocks = (grid.size + rows_an_item - 1) / rows_an_item;
    Team team(Unbound{}, view.threads);
    share_each(team, (last - first) * blocks, [&](std::size_t item, unsigned member) {
        Member& mine = members[member];
        const std::size_t slice = item / blocks, from = item % blocks * rows_an_item;
        slices.cut(first + slice, mine.ellipses);
        for (std::size_t row = from; row < std::min(grid.size, from + rows_an_item); ++row)
            draw_row(mine, row,
                     to.data + static_cast<std::ptrdiff_t>(slice) * to.slice_stride +
                         static_cast<std::ptrdiff_t>(row) * to.row_stride);
    });
}

}  // namespace stend::tomo
