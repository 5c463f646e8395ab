// Slices in lanes of 16-bit integers, twice as many as there are lanes of floats; a Words is a
// struct that says how wide (avx512.cpp, avx2.cpp, portable.cpp):
//
//     using Lanes = the floats' struct of lanes;              // tomo/lanes/lanes.h
//     static constexpr unsigned count = 2 * Lanes::count;
//     using Word = a vector of `count` 16-bit integers;
//     static constexpr float one;            // what product() takes for 1
//     static Word product(Word a, Word b);   // a · b / one, rounded to the nearest
//     static Word part(Word a, Word fraction);  // a · fraction / 2^15, to within 2
//
// Sums of words wrap around, and are right as long as what comes out in the end fits.
#pragma once

#include <cstdint>

#include "tomo/lanes/lanes.h"

namespace stend::tomo::hfbp {

// Both halves of the lanes as floats.
template <typename W>
struct Floats {
    typename W::Lanes::Float low, high;
};

template <typename W>
struct HalfWord {
    typedef std::int16_t Type __attribute__((vector_size(W::count)));
};

// To the nearest integer, of numbers below 2^22: added to 1.5 · 2^23 they have no digits behind the
// point, and the low 16 bits of the sum are the integer's.
template <typename W>
STEND_INLINE typename HalfWord<W>::Type rounded(typename W::Lanes::Float value) {
    const typename W::Lanes::Float sum = value + 12582912.0F;
    typename W::Lanes::Int digits;
    std::memcpy(&digits, &sum, sizeof digits);
    return __builtin_convertvector(digits, typename HalfWord<W>::Type);
}

template <typename W>
STEND_INLINE void store_rounded(typename W::Word* to, Floats<W> values) {
    const typename HalfWord<W>::Type low = rounded<W>(values.low), high = rounded<W>(values.high);
    std::memcpy(to, &low, sizeof low);
    std::memcpy(reinterpret_cast<std::byte*>(to) + sizeof low, &high, sizeof high);
}

template <typename W>
STEND_INLINE Floats<W> floats(const typename W::Word* from) {
    typename HalfWord<W>::Type low, high;
    std::memcpy(&low, from, sizeof low);
    std::memcpy(&high, reinterpret_cast<const std::byte*>(from) + sizeof low, sizeof high);
    return {__builtin_convertvector(low, typename W::Lanes::Float),
            __builtin_convertvector(high, typename W::Lanes::Float)};
}

template <typename W>
STEND_INLINE typename W::Word all(std::int16_t value) {
    return value - typename W::Word{};
}

}  // namespace stend::tomo::hfbp
