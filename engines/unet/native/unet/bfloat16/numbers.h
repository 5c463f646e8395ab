// bfloat16 by plain arithmetic, where speed is nothing: the upper half of a float32 (8 bits of
// exponent, 7 of fraction), rounded to the nearest, ties to the even.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace stend::unet::bfloat16 {

using Number = std::uint16_t;

inline Number rounded(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return static_cast<Number>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

inline float widened(Number number) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(number) << 16);
}

// The `part`-th of the numbers that a value is split in: its nearest, then what is left of it.
inline Number part_of(float value, std::size_t part) {
    const Number high = rounded(value);
    return part == 0 ? high : rounded(value - widened(high));
}

}  // namespace stend::unet::bfloat16
