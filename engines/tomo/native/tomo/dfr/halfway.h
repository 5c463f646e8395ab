// How the halfway image's numbers are kept: as they are, or in half precision, so that half as many
// bytes go through memory between the last two stages. To be included after a STEND_FOR.
//
//     Kept<L> kept;                       // of one column
//     kept.see(cell); …                   // all that it is transformed from
//     kept.choose(length, scales);        // by what was seen; leaves what taken() needs
//     kept.stream(to, number); …          // what the transform gives
//     Kept<L>::taken(number, scales);     // back
#pragma once

#include <bit>

#include "tomo/lanes/lanes.h"

namespace stend::tomo::dfr {

template <typename L>
class Floats {
public:
    using Number = Complex<L>;
    static constexpr std::size_t scales = 0;  // floats a column

    STEND_INLINE void see(const Complex<L>& /*cell*/) {}
    STEND_INLINE void choose(std::size_t /*length*/, float* /*scales*/) {}
    STEND_INLINE void stream(Number* to, Complex<L> value) const {
        L::stream(&to->re, value.re);
        L::stream(&to->im, value.im);
    }
    STEND_INLINE static Complex<L> taken(const Number& from, const float* /*scales*/) {
        return {from.re, from.im};
    }
};

// IEEE 754 binary16: eleven bits, from 2⁻¹⁴ to 65,504; times a power of two, for each lane of each
// column its own. Chosen so that nothing that can come of the column's cells is larger; what does
// come lies some 2⁶ to 2¹⁰ below, and eighteen binary orders more are left to it.
template <typename L>
class Halves {
    using Float = typename L::Float;
    using Int = typename L::Int;

public:
    using Number = typename L::HalfPair;
    static constexpr std::size_t scales = L::count;

    STEND_INLINE void see(const Complex<L>& cell) {
        see(cell.re);
        see(cell.im);
    }

    // No part of a transform exceeds 2 × length × the largest part of a cell, which is below 2 to
    // its exponent + 1. What is no number, and so has the largest exponent, stays none.
    STEND_INLINE void choose(std::size_t length, float* scales) {
        const int growth = static_cast<int>(std::bit_width(2 * length)) + 1;
        Int power = highest - growth - ((largest_ >> mantissa) - bias);
        power = power > most ? Int{} + most : power;
        power = power < -most ? Int{} - most : power;
        scale_ = power_of_two(power);
        store<L>(scales, power_of_two(-power));
    }

    STEND_INLINE void stream(Number* to, Complex<L> value) const {
        L::stream_halves(to, value.re * scale_, value.im * scale_);
    }
    STEND_INLINE static Complex<L> taken(const Number& from, const float* scales) {
        const Float scale = load<L>(scales);
        return {L::widened(from.first) * scale, L::widened(from.second) * scale};
    }

private:
    static constexpr int mantissa = 23, bias = 127;  // of floats
    static constexpr int most = 126;    // so that a scale and its inverse are normal numbers
    static constexpr int highest = 15;  // 2 to that is still a half

    STEND_INLINE static Float power_of_two(Int power) {
        return reinterpret_cast<Float>((power + bias) << mantissa);
    }

    STEND_INLINE void see(Float part) {
        const Int magnitude = reinterpret_cast<Int>(part) & 0x7fffffff;
        largest_ = magnitude > largest_ ? magnitude : largest_;
    }

    Int largest_{};  // magnitude, as its bits
    Float scale_{};
};

}  // namespace stend::tomo::dfr
