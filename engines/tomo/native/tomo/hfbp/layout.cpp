// Cuts, and shares for strips of all widths.
#include "tomo/hfbp/layout.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "tomo/bytes.h"
#include "tomo/hfbp/sums.h"

namespace stend::tomo::hfbp {
namespace {

// As long as 8 strips are wide, but no longer than lines of wide strips bear.
unsigned tile_blocks(unsigned strip_width) {
    return std::min(8 * strip_width, 512U) / Layout::block_side;
}

// Half of what 16 bits hold is left for the image when all the rest is rounding.
constexpr std::size_t most_angles = 8192;

std::int64_t fixed_point(double pixels) {
    return std::llrint(std::ldexp(pixels, 32));
}

}  // namespace

Layout::Layout(const Plan& plan, const Ladder& ladder_)
    : ladder(ladder_),
      detectors(plan.detectors),
      angles(plan.angles.size()),
      size(plan.size),
      center(plan.center),
      middle((static_cast<double>(plan.size) - 1) / 2),
      cuts(hfbp::cuts(plan.size, strip_width(plan.size))),
      tile_cuts(hfbp::cuts(blocks(), tile_blocks(strip_width(plan.size)))),
      directions(hfbp::directions(plan)) {
    if (angles > most_angles)
        throw std::invalid_argument("There are " + std::to_string(angles) +
                                    " projections; back projection by the fast Hough transform "
                                    "adds up at most " +
                                    std::to_string(most_angles) +
                                    " of them. Another algorithm takes them all.");
    for (std::size_t strip = 0; strip < strips(); ++strip) {
        const unsigned rows = cuts[strip + 1] - cuts[strip];
        const auto found = std::ranges::find(widths, rows, &Width::rows);
        kinds.push_back(static_cast<unsigned>(found - widths.begin()));
        if (found == widths.end()) widths.push_back(width(rows));
    }
}

Layout::Width Layout::width(unsigned rows_) const {
    Width width{rows_, fits(rows_, ladder), {}};
    for (const Orientation orientation : {rows, columns})
        for (const bool backwards : {false, true}) {
            auto& found = width.shares[orientation][backwards ? 1 : 0];
            found = shares(directions[orientation], backwards, width.lines);
            if (std::ranges::all_of(found, [](const auto& one) { return one.empty(); }))
                found.clear();
        }
    return width;
}

std::size_t Layout::bytes() const {
    std::size_t all = bytes_of(cuts) + bytes_of(tile_cuts) + bytes_of(kinds) + bytes_of(widths);
    for (const std::vector<Direction>& of : directions) all += bytes_of(of);
    for (const Width& width : widths) {
        all += bytes_of(width.lines);
        for (const auto& of_orientation : width.shares)
            for (const auto& of_sign : of_orientation) all += bytes_of(of_sign);
    }
    return all;
}

std::size_t Layout::tiles() const {
    return strips() * (tile_cuts.size() - 1);
}

Tile Layout::tile(std::size_t number) const {
    const std::size_t strip = number % strips(), across = number / strips();
    const unsigned first_pixel = tile_cuts[across] * block_side;
    const auto end = std::min(tile_cuts[across + 1] * block_side, static_cast<unsigned>(size));
    return {.strip = static_cast<unsigned>(strip),
            .first = cuts[strip],
            .width = cuts[strip + 1] - cuts[strip],
            .kind = kinds[strip],
            .first_pixel = first_pixel,
            .pixels = end - first_pixel};
}

std::size_t Layout::most_pixels() const {
    return std::min(std::size_t{tile_cuts[1]} * block_side, size);
}

std::size_t Layout::sum_words() const {
    return lines(ladder, widths[0].rows, most_pixels()) +
           scratch_words(ladder, widths[0].rows, most_pixels());
}

std::size_t Layout::tile_words() const {
    return widths[0].rows * most_pixels();
}

std::int64_t Layout::position(const Direction& direction, const Tile& tile, unsigned shift) const {
    const double start = -static_cast<double>(ladder.last_shift(tile.width)) / ladder.fine;
    const double across = tile.first_pixel + start + widths[tile.kind].lines[shift].middle - middle;
    const double along = tile.first + (tile.width - 1) / 2.0 - middle;
    return fixed_point(center + direction.gain * (across - direction.slope * along));
}

std::int64_t Layout::step(const Direction& direction) const {
    return fixed_point(direction.gain / ladder.fine);
}

Tables::Tables(const Plan& plan, const Ladder& ladder)
    : layout(plan, ladder),
      filter(plan),
      taps(plan.detectors),
      recursive(plan.filter.window == Window::ram_lak && plan.filter.cutoff == 1) {}

Tables::~Tables() = default;

std::size_t Tables::bytes() const {
    return layout.bytes() + filter.bytes();
}

}  // namespace stend::tomo::hfbp
