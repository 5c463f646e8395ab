// The fast Hough transform of one strip, backwards: from sums along lines to rows of pixels, by
// additions alone. To be included after STEND_FOR.
#pragma once

#include "tomo/hfbp/lines.h"
#include "tomo/hfbp/words.h"

namespace stend::tomo::hfbp {

// to[i] = the sum of from[…][i · step], scaled if there is a scale, added to what `to` holds if
// `add`.
template <typename W>
struct Into {
    using Word = typename W::Word;
    Word* to;
    bool add;
    const Word* scale;  // what product() takes; null when words stay what they are
};

template <unsigned count, bool scaled, typename W>
STEND_INLINE void sum_of(const typename W::Word* const* from, std::size_t step, std::size_t length,
                         const Into<W>& into) {
    using Word = typename W::Word;
    const Word* source[count];
    for (unsigned j = 0; j < count; ++j) source[j] = from[j];
    const Word scale = scaled ? *into.scale : Word{};
    const bool add = into.add;
    Word* const to = into.to;
    for (std::size_t i = 0; i < length; ++i) {
        Word sum = source[0][i * step];
#pragma GCC unroll 8
        for (unsigned j = 1; j < count; ++j) sum += source[j][i * step];
        if constexpr (scaled) sum = W::product(sum, scale);
        to[i] = add ? to[i] + sum : sum;
    }
}

template <unsigned count, typename W>
void sum_of(const typename W::Word* const* from, std::size_t step, std::size_t length,
            const Into<W>& into) {
    if (into.scale != nullptr)
        sum_of<count, true>(from, step, length, into);
    else
        sum_of<count, false>(from, step, length, into);
}

// As many as there are registers for their addresses.
inline constexpr unsigned most_at_once = 8;

template <typename W>
void sum(const typename W::Word* const* from, unsigned count, std::size_t step, std::size_t length,
         Into<W> into) {
    for (; count > most_at_once; count -= most_at_once, from += most_at_once, into.add = true)
        sum_of<most_at_once>(from, step, length, into);
    switch (count) {
        case 1:
            return sum_of<1>(from, step, length, into);
        case 2:
            return sum_of<2>(from, step, length, into);
        case 3:
            return sum_of<3>(from, step, length, into);
        case 4:
            return sum_of<4>(from, step, length, into);
        case 5:
            return sum_of<5>(from, step, length, into);
        case 6:
            return sum_of<6>(from, step, length, into);
        case 7:
            return sum_of<7>(from, step, length, into);
        default:
            return sum_of<8>(from, step, length, into);
    }
}

// Words of lines become words of pixels where a strip is halved into strips of at most 32 lines, or
// in the leaf when it isn't: before, sums are of few projections, so that words may be worth less
// and small values aren't rounded to nothing; after that, few roundings add up.
constexpr bool scaled(const Ladder& ladder, unsigned width) {
    return ladder.divided(width) && ladder.fine * lower(width).width <= 32;
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

template <typename W>
void spread_leaf(const Ladder& ladder, const typename W::Word* sums, unsigned width,
                 const Rows<typename W::Word>& to, const typename W::Word* scale) {
    const unsigned last = ladder.last_shift(width);
    const std::size_t length = starts(ladder, width, to.pixels);
    const typename W::Word* through[64];  // the lines through a row's first pixel
    for (unsigned row = 0; row < width; ++row) {
        for (unsigned shift = 0; shift <= last; ++shift)
            through[shift] = sums + shift * length + last - moved(width, shift, row);
        sum<W>(through, last + 1, ladder.fine, to.pixels, {to.from(row).first, to.add, scale});
    }
}

// A half's line holds the sum of the lines whose half it is.
template <typename W>
void halve(const Ladder& ladder, const typename W::Word* sums, const Half& half, std::size_t pixels,
           typename W::Word* to, const typename W::Word* scale) {
    const unsigned last = ladder.last_shift(half.whole), half_last = ladder.last_shift(half.width);
    const std::size_t whole_length = starts(ladder, half.whole, pixels);
    const std::size_t length = starts(ladder, half.width, pixels);
    unsigned whole_shift = 0;
    for (unsigned shift = 0; shift <= half_last; ++shift) {
        const typename W::Word* same[most_at_once] = {};
        unsigned count = 0;
        for (; whole_shift <= last && half.shift(whole_shift) == shift; ++whole_shift)
            same[count++] =
                sums + whole_shift * whole_length + last - half_last - half.start(whole_shift);
        sum<W>(same, count, 1, length, {to + shift * length, false, scale});
    }
}

// `scale` turns words of the lines into words of pixels; null when they are the same.
template <typename W>
void spread(const Ladder& ladder, const typename W::Word* sums, unsigned width,
            const Rows<typename W::Word>& to, typename W::Word* scratch,
            const typename W::Word* scale) {
    if (!ladder.divided(width)) return spread_leaf<W>(ladder, sums, width, to, scale);
    const bool now = scaled(ladder, width);
    for (const Half& half : {upper(width), lower(width)}) {
        halve<W>(ladder, sums, half, to.pixels, scratch, now ? scale : nullptr);
        spread<W>(ladder, scratch, half.width, to.from(half.first),
                  scratch + lines(ladder, half.width, to.pixels), now ? nullptr : scale);
    }
}

}  // namespace stend::tomo::hfbp
