// Products on AVX-512: VDPBF16PS adds two products of bfloat16 to each float32, a pair of channels
// of one pixel, on every lane the same, by the weights of 16 output channels. Two of them a cycle
// are kept busy by 8 pixels by 32 output channels.
#if defined(__x86_64__)

#include <immintrin.h>

#include <algorithm>

#include "unet/bfloat16/edges.h"
#include "unet/bfloat16/lanes.h"
#include "unet/bfloat16/products.h"
#include "unet/bfloat16/winograd.h"
#include "unet/variants.h"

namespace stend::unet::bfloat16 {
namespace {

constexpr std::size_t strip = 8;  // pixels that are summed at once
constexpr std::size_t pairs = plane_channels / 2;
constexpr std::size_t half = 16;  // output channels in a register

void nothing() noexcept {}

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16")

void multiply_strip(const Product& product, std::ptrdiff_t begin, float* sums) noexcept {
    Lanes sum[strip];
    for (Lanes& each : sum) each = zero();
    const Number* weights = product.weights;
    for (std::size_t plane = 0; plane < product.count; ++plane)
        for (std::size_t tap = 0; tap < product.tap_count; ++tap, weights += matrix) {
            const Number* pixels = product.planes[plane] + begin + product.taps[tap];
            for (std::size_t pair = 0; pair < pairs; ++pair) {
                const __m512bh low = weights_at(weights + pair * 2 * half),
                               high = weights_at(weights + matrix / 2 + pair * 2 * half);
#pragma GCC unroll 8
                for (std::size_t i = 0; i < strip; ++i) {
                    const __m512bh pixel = pair_everywhere(pixels + i * plane_channels + pair * 2);
                    sum[i].low = _mm512_dpbf16_ps(sum[i].low, pixel, low);
                    sum[i].high = _mm512_dpbf16_ps(sum[i].high, pixel, high);
                }
            }
        }
    for (std::size_t i = 0; i < strip; ++i) {
        _mm512_store_ps(sums + i * half, sum[i].low);
        _mm512_store_ps(sums + (unit_columns + i) * half, sum[i].high);
    }
}

void multiply(const Product& product) noexcept {
    for (std::size_t row = 0; row < unit_rows; ++row)
        for (std::size_t x = 0; x < unit_columns; x += strip)
            multiply_strip(product,
                           product.row[row] + static_cast<std::ptrdiff_t>(x * plane_channels),
                           product.sums + (row * 2 * unit_columns + x) * half);
}

STEND_FOR_ANY

constexpr Multiplier multiplier{nothing, multiply, nothing, std::size_t{256} << 10};

blocked::Made convolution(const blocked::Stage& stage, unsigned threads, blocked::Workspace&) {
    return products<1>(stage, threads, multiplier);
}

// Of a small image much of the tiles is zeros around it, where weights that multiply nothing bring
// errors all the same: a single pixel has one weight of nine.
constexpr std::size_t least_side = 16;

blocked::Made convolution3(const blocked::Stage& stage, unsigned threads,
                           blocked::Workspace& workspace) {
    const bool large = std::min(stage.to.height, stage.to.width) >= least_side;
    return (large ? winograd : convolution)(stage, threads, workspace);
}

constexpr blocked::Kernels kernels{
    .form = {.channels = 32, .parts = 1},
    .first = first<1>,
    .convolution3 = convolution3,
    .convolution1 = convolution,
    .last = last<1>,
    .transposed = convolution,
    .pooling = pooling<1>,
    .enter = enter<1>,
    .leave = leave<1>,
};

}  // namespace

std::unique_ptr<Engine> make_avx512(const Plan& plan) {
    return blocked::make(plan, kernels);
}

}  // namespace stend::unet::bfloat16
#endif
