// The constants of a step, and where lanes start.
#pragma once

#include <cstddef>
#include <cstdint>

namespace stend::peak {

// Lanes go from between 1 and 1.24 towards b / (1 − m) = 1.5, never quite there: each step
// moves one by more than its last digit, also in float32, so every step shows in the result. All
// digits of the operands change all the time, as those of real work do; a multiplication of
// ones and zeros takes less power and may run at a frequency that real work never sees.
template <typename T>
inline constexpr T m = T(0.99999);
template <typename T>
inline constexpr T b = T(1.5e-5);
template <>
inline constexpr std::uint32_t b<std::uint32_t> = 2654435769U;  // 2^32 / golden ratio

// How many different starts there are: a prime, so that lanes and repetitions run through them
// out of step.
inline constexpr std::size_t starts = 61;

template <typename T>
T start(std::size_t number) {
    return T(1) + static_cast<T>(number % starts) / 256;
}
template <>
inline std::uint32_t start(std::size_t number) {
    return 1 + static_cast<std::uint32_t>(number % starts) * 0x01000193U;  // FNV's prime
}

}  // namespace stend::peak
