// A matrix product of bfloat16 on AVX-512: VDPBF16PS adds two products to each float32, a pair of
// channels of one pixel, the same on every lane, by the weights of 16 output channels.
#pragma once

#include <cstddef>

#include "unet/bfloat16/numbers.h"

namespace stend::unet::bfloat16 {

// Pixels one after another in each plane of 32 channels, by 32 output channels.
struct Strips {
    const Number* pixels;
    std::size_t count;
    std::size_t planes, plane_stride;  // in numbers
    const Number* weights;             // [plane][pair of channels][output channel][2]
    float* sums;                       // [pixel][output channel]
};

// The weights of the product that comes next are to lie behind these: they are asked for meanwhile.
void multiply_strips(const Strips& strips) noexcept;

}  // namespace stend::unet::bfloat16
