// Work of known length that stays in registers: dependent operations that neither the
// compiler nor the processor can shorten, with a result that can be computed otherwise.
#pragma once

#include <cstdint>

namespace stend::clock {

// An odd number whose powers run through a quarter of all 64-bit numbers (Knuth, TAOCP
// vol. 2, 3.3.4, table 1 line 26).
inline constexpr std::uint64_t multiplier = 6364136223846793005U;

// x times multiplier^times modulo 2^64, one dependent multiplication after another.
[[gnu::always_inline]] inline std::uint64_t multiply(std::uint64_t x, std::uint64_t times) {
    std::uint64_t by = multiplier;
    asm volatile("" : "+r"(by));
#pragma GCC unroll 16
    for (std::uint64_t i = 0; i < times; ++i) {
        x *= by;
        asm volatile("" : "+r"(x));
    }
    return x;
}

// x after as many dependent exclusive-ors with the multiplier.
[[gnu::always_inline]] inline std::uint64_t exclusive_or(std::uint64_t x, std::uint64_t times) {
    std::uint64_t by = multiplier;
    asm volatile("" : "+r"(by));
#pragma GCC unroll 16
    for (std::uint64_t i = 0; i < times; ++i) {
        x ^= by;
        asm volatile("" : "+r"(x));
    }
    return x;
}

// multiplier^times by squaring: the independent computation.
constexpr std::uint64_t power(std::uint64_t times) {
    std::uint64_t result = 1;
    for (std::uint64_t square = multiplier; times != 0; times >>= 1, square *= square)
        if (times & 1) result *= square;
    return result;
}

}  // namespace stend::clock
