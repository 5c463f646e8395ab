// The arithmetic in SIMD lanes: a micro-kernel that keeps the sums of some pixels and output
// channels in registers, and the maximum of pixels. To be included like lanes.h.
#pragma once

#include <utility>

#include "unet/blocked/planes.h"
#include "unet/float32/arithmetic.h"
#include "unet/float32/lanes.h"

namespace stend::unet::float32 {

// A pixel's values lie `lanes` floats from its neighbour's.
template <typename L, std::size_t pixels, std::size_t vectors, std::size_t lanes>
void multiply(const Products& products) noexcept {
    using Float = typename L::Float;
    Float sums[pixels][vectors];
#pragma GCC unroll 32
    for (std::size_t pixel = 0; pixel < pixels; ++pixel)
#pragma GCC unroll 4
        for (std::size_t v = 0; v < vectors; ++v)
            sums[pixel][v] = load<L>(products.bias + v * L::count);
    const float* weights = products.weights;
    for (std::size_t plane = 0; plane < products.plane_count; ++plane)
        for (std::size_t tap = 0; tap < products.tap_count; ++tap) {
            const float* from = products.planes[plane] + products.first + products.taps[tap];
#pragma GCC unroll 2
            for (std::size_t lane = 0; lane < lanes; ++lane, weights += vectors * L::count) {
                Float weight[vectors];
#pragma GCC unroll 4
                for (std::size_t v = 0; v < vectors; ++v)
                    weight[v] = load<L>(weights + v * L::count);
#pragma GCC unroll 32
                for (std::size_t pixel = 0; pixel < pixels; ++pixel)
#pragma GCC unroll 4
                    for (std::size_t v = 0; v < vectors; ++v)
                        sums[pixel][v] += from[pixel * lanes + lane] * weight[v];
            }
        }
#pragma GCC unroll 32
    for (std::size_t pixel = 0; pixel < pixels; ++pixel)
#pragma GCC unroll 4
        for (std::size_t v = 0; v < vectors; ++v)
            store<L>(products.to + pixel * products.step + v * L::count,
                     products.relu ? relu<L>(sums[pixel][v]) : sums[pixel][v]);
}

template <typename L>
void pool(const float* upper, const float* lower, std::size_t count, float* to) noexcept {
    constexpr std::size_t lanes = blocked::pixel_floats;
    for (std::size_t pixel = 0; pixel < count; ++pixel, upper += 2 * lanes, lower += 2 * lanes)
        for (std::size_t lane = 0; lane < lanes; lane += L::count)
            store<L>(to + pixel * lanes + lane,
                     larger<L>(larger<L>(load<L>(upper + lane), load<L>(upper + lanes + lane)),
                               larger<L>(load<L>(lower + lane), load<L>(lower + lanes + lane))));
}

template <typename L, std::size_t vectors, std::size_t lanes,
          typename = std::make_index_sequence<L::pixels>>
struct ByPixels;
template <typename L, std::size_t vectors, std::size_t lanes, std::size_t... pixels>
struct ByPixels<L, vectors, lanes, std::index_sequence<pixels...>> {
    static constexpr Multiply table[] = {multiply<L, pixels + 1, vectors, lanes>...};
};

template <typename L>
inline constexpr Arithmetic arithmetic = {
    .pixels = L::pixels,
    .group = L::vectors * L::count,
    .few = L::count,
    .planes = ByPixels<L, L::vectors, blocked::pixel_floats>::table,
    .to_few = ByPixels<L, 1, blocked::pixel_floats>::table,
    .image = ByPixels<L, L::vectors, 1>::table,
    .pool = pool<L>,
};

}  // namespace stend::unet::float32
