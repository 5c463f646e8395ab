// The fast Hough transform of one strip, backwards: from sums along lines to rows of pixels, by
// additions alone. To be included after STEND_FOR.
#pragma once

#include "tomo/hfbp/lines.h"
#include "tomo/hfbp/words.h"

namespace stend::tomo::hfbp {

// to[i] = the sum of from[…][i · step], added to what `to` holds if `add`.
template <unsigned count, typename Word>
STEND_INLINE void sum_of(const Word* const* from, std::size_t step, std::size_t length, bool add,
                         Word* to) {
    const Word* source[count];
    for (unsigned j = 0; j < count; ++j) source[j] = from[j];
    for (std::size_t i = 0; i < length; ++i) {
        Word sum = source[0][i * step];
#pragma GCC unroll 8
        for (unsigned j = 1; j < count; ++j) sum += source[j][i * step];
        to[i] = add ? to[i] + sum : sum;
    }
}

// As many at once as there are registers for their addresses.
template <typename Word>
void sum(const Word* const* from, unsigned count, std::size_t step, std::size_t length, bool add,
         Word* to) {
    for (; count > 8; count -= 8, from += 8, add = true) sum_of<8>(from, step, length, add, to);
    switch (count) {
        case 1:
            return sum_of<1>(from, step, length, add, to);
        case 2:
            return sum_of<2>(from, step, length, add, to);
        case 3:
            return sum_of<3>(from, step, length, add, to);
        case 4:
            return sum_of<4>(from, step, length, add, to);
        case 5:
            return sum_of<5>(from, step, length, add, to);
        case 6:
            return sum_of<6>(from, step, length, add, to);
        case 7:
            return sum_of<7>(from, step, length, add, to);
        default:
            return sum_of<8>(from, step, length, add, to);
    }
}

// Where the rows of a strip go.
template <typename Word>
struct Rows {
    Word* first;            // the row that is first on the way
    std::ptrdiff_t stride;  // to the next; negative when the strip is taken backwards
    std::size_t pixels;     // of a row
    bool add;               // to what is there

    Rows from(unsigned row) const { return {first + row * stride, stride, pixels, add}; }
};

// The lines of a strip: all shifts' one after the other, of each those that begin from
// last_shift(width) positions before the rows' first pixel up to the last one.
inline std::size_t starts(const Ladder& ladder, unsigned width, std::size_t pixels) {
    return ladder.fine * (pixels - 1) + ladder.last_shift(width) + 1;
}
inline std::size_t lines(const Ladder& ladder, unsigned width, std::size_t pixels) {
    return (ladder.last_shift(width) + 1) * starts(ladder, width, pixels);
}

// Words that spread() needs beside the lines themselves.
inline std::size_t scratch_words(const Ladder& ladder, unsigned width, std::size_t pixels) {
    if (!ladder.divided(width)) return 0;
    const unsigned half = lower(width).width;  // the wider one
    return lines(ladder, half, pixels) + scratch_words(ladder, half, pixels);
}

template <typename Word>
void spread_leaf(const Ladder& ladder, const Word* sums, unsigned width, const Rows<Word>& to) {
    const unsigned last = ladder.last_shift(width);
    const std::size_t length = starts(ladder, width, to.pixels);
    const Word* through[64];  // the lines through a row's first pixel
    for (unsigned row = 0; row < width; ++row) {
        for (unsigned shift = 0; shift <= last; ++shift)
            through[shift] = sums + shift * length + last - moved(width, shift, row);
        sum(through, last + 1, ladder.fine, to.pixels, to.add, to.from(row).first);
    }
}

// A half's line holds the sum of the lines whose half it is.
template <typename Word>
void halve(const Ladder& ladder, const Word* sums, const Half& half, std::size_t pixels, Word* to) {
    const unsigned last = ladder.last_shift(half.whole), half_last = ladder.last_shift(half.width);
    const std::size_t whole_length = starts(ladder, half.whole, pixels);
    const std::size_t length = starts(ladder, half.width, pixels);
    unsigned whole_shift = 0;
    for (unsigned shift = 0; shift <= half_last; ++shift) {
        const Word* same[8] = {};
        unsigned count = 0;
        for (; whole_shift <= last && half.shift(whole_shift) == shift; ++whole_shift)
            same[count++] =
                sums + whole_shift * whole_length + last - half_last - half.start(whole_shift);
        sum(same, count, 1, length, false, to + shift * length);
    }
}

template <typename Word>
void spread(const Ladder& ladder, const Word* sums, unsigned width, const Rows<Word>& to,
            Word* scratch) {
    if (!ladder.divided(width)) return spread_leaf(ladder, sums, width, to);
    for (const Half& half : {upper(width), lower(width)}) {
        halve(ladder, sums, half, to.pixels, scratch);
        spread(ladder, scratch, half.width, to.from(half.first),
               scratch + lines(ladder, half.width, to.pixels));
    }
}

}  // namespace stend::tomo::hfbp
