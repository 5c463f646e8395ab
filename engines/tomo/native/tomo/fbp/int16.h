// Samples in 16 bits: each is a pair with the next one, so that a product of pairs is a linear
// interpolation (pmaddwd, vpdpwssd). To be included after STEND_FOR, and after scales.h.
#pragma once

#include "tomo/fbp/kernel.h"
#include "tomo/fbp/scales.h"

namespace stend::tomo::fbp {

// `L` has, beside what Lanes have, static Int dot(Int sum, Int pairs, Int weights): in each lane
// the sum and both products of signed 16-bit numbers.
template <typename L, unsigned groups_, unsigned width_, unsigned width_alone_ = width_>
struct Int16 {
    using Lanes = L;
    using Sum = typename L::Int;
    using Weight = std::int32_t;
    using Weights = typename L::Int;
    static constexpr unsigned groups = groups_, width = width_, width_alone = width_alone_;
    static constexpr bool in_integers = true;

    static constexpr unsigned weight_bits = int16_weight_bits;

    static std::vector<std::int32_t> table(std::int32_t unit) { return weight_pairs(unit); }

    STEND_INLINE static Weights spread(std::int32_t weight) { return weight - typename L::Int{}; }

    template <std::size_t stride>
    STEND_INLINE static void add(Sum& sum, const float* sample, Weights weights) {
        Sum pairs;
        std::memcpy(&pairs, sample, sizeof pairs);
        sum = L::dot(sum, pairs, weights);
    }
};

template <typename L>
STEND_INLINE typename L::Float larger(typename L::Float a, typename L::Float b) {
    return a > b ? a : b;
}

// To the nearest integer below most_int16 in magnitude; NaN as well.
template <typename L>
STEND_INLINE typename L::Int rounded(typename L::Float value) {
    const typename L::Float most = broadcast<L>(most_int16);
    value = value > -most ? value : -most;
    value = value < most ? value : most;
    const typename L::Float half = value < 0 ? broadcast<L>(-0.5F) : broadcast<L>(0.5F);
    return __builtin_convertvector(value + half, typename L::Int);
}

// Turns a projection's samples at `row`, `stride` floats apart, into pairs, in place.
template <typename L>
STEND_INLINE void into_pairs(float* row, std::size_t stride, std::size_t samples,
                             typename L::Float scale) {
    typename L::Int here{};
    for (std::size_t i = 0; i <= samples; ++i) {
        const typename L::Int next =
            i < samples ? rounded<L>(load<L>(row + i * stride) * scale) : typename L::Int{};
        const typename L::Int pair = (here & 0xffff) | next << 16;
        std::memcpy(row + i * stride - stride, &pair, sizeof pair);
        here = next;
    }
}

}  // namespace stend::tomo::fbp
