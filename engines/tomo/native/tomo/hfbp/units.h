// What a word is worth, in each lane: of the rows, each its own; of a strip's lines; of the pixels.
// To be included after STEND_FOR, and after tomo/hfbp/layout.h.
#pragma once

#include <algorithm>

#include "tomo/hfbp/sums.h"
#include "tomo/hfbp/words.h"

namespace stend::tomo::hfbp {

// The largest value of a row: words have a sign, and the difference of two fits.
inline constexpr float largest_in_row = 16383;

// a when it isn't a number.
template <typename W>
STEND_INLINE typename W::Lanes::Float larger(typename W::Lanes::Float a,
                                             typename W::Lanes::Float b) {
    return b > a ? b : a;
}

template <typename W>
STEND_INLINE typename W::Lanes::Float smallest() {
    return broadcast<typename W::Lanes>(1e-30F);
}

// Of one half of the lanes; lines by the kind of their strip's width.
template <typename W>
struct Units {
    using Float = typename W::Lanes::Float;
    Float pixel, line[3];
    Float scale[3];  // what product() turns words of lines into words of pixels by
};

// The largest sum of lines before words are scaled, when none of a line is above `lines` of its
// shift: as spread() goes. `room` is for twice as many and some.
template <typename W>
typename W::Lanes::Float largest_sum(const Ladder& ladder, unsigned width,
                                     const typename W::Lanes::Float* lines,
                                     typename W::Lanes::Float* room) {
    typename W::Lanes::Float most{}, sum{};
    const unsigned last = ladder.last_shift(width);
    if (!ladder.divided(width)) {
        for (unsigned shift = 0; shift <= last; ++shift) {
            sum = shift % most_at_once == 0 ? lines[shift] : sum + lines[shift];
            most = larger<W>(sum, most);
        }
        return most;
    }
    for (const Half& half : {upper(width), lower(width)}) {
        const unsigned half_lines = ladder.last_shift(half.width) + 1;
        std::fill_n(room, half_lines, typename W::Lanes::Float{});
        for (unsigned shift = 0; shift <= last; ++shift) room[half.shift(shift)] += lines[shift];
        if (scaled(ladder, width))
            for (unsigned shift = 0; shift < half_lines; ++shift)
                most = larger<W>(room[shift], most);
        else
            most = larger<W>(largest_sum<W>(ladder, half.width, room, room + half_lines), most);
    }
    return most;
}

// The same of strips of a width, in both orientations and both ways; none of a line is above the
// sum of its shares' peaks. `scratch` is for three times a strip's lines.
template <typename W, typename Peak>
typename W::Lanes::Float largest_of_strips(const Layout& layout, const Layout::Width& width,
                                           const Peak& peak, typename W::Lanes::Float* scratch) {
    typename W::Lanes::Float most{};
    for (const auto& orientation : width.shares)
        for (const auto& of_shift : orientation) {
            std::fill_n(scratch, width.lines.size(), typename W::Lanes::Float{});
            for (std::size_t shift = 0; shift < of_shift.size(); ++shift)
                for (const Share& share : of_shift[shift])
                    scratch[shift] += peak(share.direction.angle) * share.part;
            most = larger<W>(
                largest_sum<W>(layout.ladder, width.rows, scratch, scratch + width.lines.size()),
                most);
        }
    return most;
}

// `peak(angle)` is the largest value of a projection, times the projection's weight; `scratch` is
// for three times a strip's lines.
//
// No sum of lines is above the sum of the peaks of what was smeared along them, and no pixel of
// one orientation above that of all its projections. To these come roundings: of each share, twice
// a projection, .75 words of lines, which are at most .5 of pixels'; of each line, of which no more
// than two a projection hold anything, .5 words of pixels: less than two a projection in all.
template <typename W, typename Peak>
Units<W> units(const Layout& layout, const Peak& peak, typename W::Lanes::Float* scratch) {
    using Float = typename W::Lanes::Float;
    const float room = 32767 - 2 * static_cast<float>(layout.angles);
    Float most{}, spoiled{}, pixel{};
    for (const Orientation orientation : {rows, columns}) {
        Float sum{};
        for (const Direction& direction : layout.directions[orientation]) {
            sum += peak(direction.angle);
            most = larger<W>(peak(direction.angle), most);
            spoiled += peak(direction.angle) * 0;
        }
        pixel = larger<W>(sum / room, pixel);
    }
    Units<W> units{};
    const std::size_t kinds = layout.widths.size();
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        const Float line = largest_of_strips<W>(layout, layout.widths[kind], peak, scratch) / room;
        // Not so little that a factor would not fit.
        units.line[kind] =
            larger<W>(larger<W>(line, most * (W::one / (largest_in_row * 32767))), smallest<W>());
        pixel = larger<W>(units.line[kind] * 2.01F, pixel);
    }
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        const Float scale = units.line[kind] / pixel * W::one + 1;
        units.scale[kind] =
            __builtin_convertvector(__builtin_convertvector(scale, typename W::Lanes::Int), Float);
        units.line[kind] = pixel * units.scale[kind] / W::one;
    }
    units.pixel = pixel + spoiled;
    return units;
}

}  // namespace stend::tomo::hfbp
