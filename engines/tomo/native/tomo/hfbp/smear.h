// Projections onto the lines of a strip: the only step of the back projection that multiplies. To
// be included after STEND_FOR.
#pragma once

#include <algorithm>

#include "tomo/hfbp/words.h"

namespace stend::tomo::hfbp {

// Between pixels of a projection: positions of 1/64, so that factors come from a small table
// instead of through a general register. What that costs, 1/128 of a pixel at most, is little
// beside a digital line's half a pixel.
inline constexpr unsigned fraction_bits = 6;

inline constexpr unsigned fractions = 1U << fraction_bits;

template <typename W>
void fill_fractions(typename W::Word* to) {
    for (unsigned i = 0; i < fractions; ++i)
        to[i] = all<W>(static_cast<std::int16_t>((i << 15U) / fractions));
}

// A projection as one shift's lines read it: in detector pixels, of 2^-32.
template <typename W>
struct Ray {
    const typename W::Word* row;
    std::int64_t position;  // for the first line
    std::int64_t step;      // from line to line
    typename W::Word factor;
};

// Adds to lines first … last - 1 what the rays read.
template <unsigned count, typename W>
STEND_INLINE void smear(const Ray<W>* rays, std::size_t first, std::size_t last,
                        const typename W::Word* fraction_of, typename W::Word* lines) {
    using Word = typename W::Word;
    constexpr unsigned below = 32 - fraction_bits;
    std::int64_t at[count], step[count];
    const Word* row[count];
    Word factor[count];
    for (unsigned j = 0; j < count; ++j) {
        step[j] = rays[j].step;
        at[j] = rays[j].position + static_cast<std::int64_t>(first) * step[j] +
                (std::int64_t{1} << (below - 1));
        row[j] = rays[j].row;
        factor[j] = rays[j].factor;
    }
    for (std::size_t i = first; i < last; ++i) {
        Word sum = lines[i];
#pragma GCC unroll 4
        for (unsigned j = 0; j < count; ++j) {
            const Word* pixel = row[j] + (at[j] >> 32);
            const Word fraction = fraction_of[(at[j] >> below) & (fractions - 1)];
            const Word value = pixel[0] + W::part(pixel[1] - pixel[0], fraction);
            sum += W::product(value, factor[j]);
            at[j] += step[j];
        }
        lines[i] = sum;
    }
}

// Of a row of `pixels`, lines 0 … length - 1 of the ray that read between its outermost pixels.
struct Reach {
    std::size_t first, last;
};

STEND_INLINE std::int64_t floor_of(std::int64_t number, std::int64_t by) {
    return number / by - (number % by != 0 && (number < 0) != (by < 0) ? 1 : 0);
}

STEND_INLINE Reach reach(std::int64_t position, std::int64_t step, std::size_t pixels,
                         std::size_t length) {
    const std::int64_t end = static_cast<std::int64_t>(pixels - 1) << 32;
    const auto count = static_cast<std::int64_t>(length);
    const std::int64_t far = position + (count - 1) * step;
    if (position >= 0 && position <= end && far >= 0 && far <= end) return {0, length};
    if (step == 0) return {0, 0};
    // 0 ≤ position + i · step ≤ end, taken from the other side when the step is negative.
    const std::int64_t up = step > 0 ? step : -step, from = step > 0 ? position : end - position;
    const std::int64_t first = std::clamp<std::int64_t>(-floor_of(from, up), 0, count);
    const std::int64_t last = std::clamp<std::int64_t>(floor_of(end - from, up) + 1, first, count);
    return {static_cast<std::size_t>(first), static_cast<std::size_t>(last)};
}

}  // namespace stend::tomo::hfbp
