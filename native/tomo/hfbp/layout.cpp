// Cuts, and shares for strips of both widths.
#include "tomo/hfbp/layout.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "tomo/bytes.h"
#include "tomo/hfbp/sums.h"

namespace stend::tomo::hfbp {
namespace {

// Strips across a tile.
constexpr unsigned tile_strips = 8;

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
      center(plan.center),
      middle((static_cast<double>(plan.size) - 1) / 2),
      cuts(hfbp::cuts(plan.size, strip_width)),
      widest((static_cast<unsigned>(plan.size) + cuts.size() - 2) / (cuts.size() - 1)),
      directions(hfbp::directions(plan)) {
    if (angles > most_angles)
        throw std::invalid_argument("There are " + std::to_string(angles) +
                                    " projections; back projection by the fast Hough transform "
                                    "adds up at most " +
                                    std::to_string(most_angles) +
                                    " of them. Another algorithm takes them all.");
    for (const Orientation orientation : {rows, columns})
        for (const bool backwards : {false, true})
            for (unsigned less = 0; less < 2 && less < widest; ++less) {
                auto& found = shares[orientation][backwards ? 1 : 0][less];
                found = hfbp::shares(directions[orientation], backwards, widest - less, ladder);
                if (std::ranges::all_of(found, [](const auto& one) { return one.empty(); }))
                    found.clear();
            }
}

std::size_t Layout::bytes() const {
    std::size_t all = bytes_of(cuts);
    for (const Orientation orientation : {rows, columns}) {
        all += bytes_of(directions[orientation]);
        for (const auto& of_sign : shares[orientation])
            for (const auto& of_width : of_sign) all += bytes_of(of_width);
    }
    return all;
}

std::size_t Layout::tiles() const {
    return strips() * ((strips() + tile_strips - 1) / tile_strips);
}

Tile Layout::tile(std::size_t number) const {
    const auto strip = static_cast<unsigned>(number % strips());
    const auto first_strip = static_cast<unsigned>(number / strips()) * tile_strips;
    const unsigned last_strip =
        std::min(first_strip + tile_strips, static_cast<unsigned>(strips()));
    return {.strip = strip,
            .first = cuts[strip],
            .width = cuts[strip + 1] - cuts[strip],
            .first_strip = first_strip,
            .last_strip = last_strip,
            .first_pixel = cuts[first_strip],
            .pixels = cuts[last_strip] - cuts[first_strip]};
}

std::size_t Layout::sum_words() const {
    const std::size_t pixels = std::size_t{tile_strips} * widest;
    return lines(ladder, widest, pixels) + scratch_words(ladder, widest, pixels);
}

std::size_t Layout::tile_words() const {
    return std::size_t{tile_strips} * widest * widest;
}

std::int64_t Layout::position(const Direction& direction, const Tile& tile, unsigned shift) const {
    const double start = -static_cast<double>(ladder.last_shift(tile.width)) / ladder.fine;
    const double across = tile.first_pixel + start + shift / 2.0 / ladder.fine - middle;
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
