// What of the simple kernels is compiled for each width of SIMD lanes (in_lanes.h); all the rest
// calls it through these pointers.
#pragma once

#include <cstddef>

namespace stend::unet::float32 {

// Neighbouring pixels of a row, and a group of output channels: bias, and for each plane, each tap
// and each lane of the plane, a weight of each output channel times the lane.
struct Products {
    const float* const* planes;
    std::size_t plane_count;
    const std::ptrdiff_t* taps;  // from the first pixel to what is multiplied, in floats
    std::size_t tap_count;
    std::ptrdiff_t first;  // the first pixel, from each plane's beginning, in floats
    const float* weights;  // [plane][tap][lane][output channel]
    const float* bias;     // of each output channel of the group
    bool relu;
    float* to;         // the first pixel's output channels
    std::size_t step;  // from a pixel's output to the next one's, in floats
};

// Of a fixed number of pixels.
using Multiply = void (*)(const Products& products) noexcept;

// The largest of 2×2 pixels: `count` pixels of a row, from two rows.
using Pool = void (*)(const float* upper, const float* lower, std::size_t count,
                      float* to) noexcept;

inline constexpr std::size_t most_pixels = 24;

struct Arithmetic {
    std::size_t pixels;  // at a time, at most
    std::size_t group;   // output channels at a time; divides a plane's
    std::size_t few;     // the same of `to_few`: at least 4
    // By the number of pixels, from 1: planes of 16 lanes, to groups; the same to groups of `few`;
    // and planes of one lane, rows of the caller's image, to groups.
    const Multiply* planes;
    const Multiply* to_few;
    const Multiply* image;
    Pool pool;
};

}  // namespace stend::unet::float32
