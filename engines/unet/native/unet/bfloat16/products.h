// Convolutions as matrix products: 16 pixels that are neighbours in a row by 32 channels are a
// matrix as it lies in a plane, and each tap of a kernel reads it from another place. Comes in: a
// stage, and what multiplies; goes out: steps that write planes.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "unet/bfloat16/numbers.h"
#include "unet/blocked/stage.h"

namespace stend::unet::bfloat16 {

// What is summed at once: two rows of 16 pixels, 32 output channels.
inline constexpr std::size_t unit_rows = 2, unit_columns = 16;

// For each plane, tap by tap, a matrix of 32 input channels by 32 output channels: of each part, 16
// pairs of input channels by 16 output channels, then the same of the next 16 output channels.
inline constexpr std::size_t matrix = 32 * 32;

struct Product {
    const Number* const* planes;  // of each part
    std::size_t count;            // of planes of a part
    const std::ptrdiff_t* taps;   // what is added to where a row begins
    std::size_t tap_count;
    std::array<std::ptrdiff_t, unit_rows> row;
    const Number* weights;
    float* sums;  // [row][half of the channels][pixel][channel]
};

struct Multiplier {
    void (*begin)() noexcept;  // on each thread, before its products
    void (*multiply)(const Product& product) noexcept;
    void (*end)() noexcept;
    std::size_t block_bytes;  // of input that all weights are applied to before the next is read
};

// Convolutions of any kernel and transposed ones.
template <std::size_t parts>
blocked::Made products(const blocked::Stage& stage, unsigned threads, const Multiplier& multiplier);

}  // namespace stend::unet::bfloat16
