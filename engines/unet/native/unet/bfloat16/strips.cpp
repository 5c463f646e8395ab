// Strips of up to 14 pixels, whose sums fill 28 registers; two more hold weights.
#if defined(__x86_64__)

#include "unet/bfloat16/strips.h"

#include <array>
#include <utility>

#include "unet/bfloat16/lanes.h"

namespace stend::unet::bfloat16 {
namespace {

constexpr std::size_t longest = 14;
constexpr std::size_t pairs = plane_channels / 2;
constexpr std::size_t line = 64 / sizeof(Number);
constexpr std::size_t matrix = plane_channels * plane_channels;

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16")

// Of the next product's weights, the lines `ask` to `ask_end` of each matrix are asked for.
template <std::size_t pixels>
void multiply(const Strips& strips, std::size_t first, std::size_t ask, std::size_t ask_end) {
    Lanes sum[pixels];
    for (Lanes& each : sum) each = zero();
    const Number* weights = strips.weights;
    const Number* next = weights + strips.planes * matrix;
    for (std::size_t plane = 0; plane < strips.planes; ++plane, next += matrix) {
        const Number* from = strips.pixels + plane * strips.plane_stride + first * plane_channels;
        for (std::size_t at = ask; at < ask_end; ++at) __builtin_prefetch(next + at * line, 0, 2);
        for (std::size_t pair = 0; pair < pairs; ++pair, from += 2, weights += 2 * plane_channels) {
            const __m512bh low = weights_at(weights), high = weights_at(weights + plane_channels);
#pragma GCC unroll 14
            for (std::size_t i = 0; i < pixels; ++i) {
                const __m512bh pixel = pair_everywhere(from + i * plane_channels);
                sum[i].low = _mm512_dpbf16_ps(sum[i].low, pixel, low);
                sum[i].high = _mm512_dpbf16_ps(sum[i].high, pixel, high);
            }
        }
    }
    float* to = strips.sums + first * plane_channels;
    for (std::size_t i = 0; i < pixels; ++i, to += plane_channels) {
        _mm512_storeu_ps(to, sum[i].low);
        _mm512_storeu_ps(to + 16, sum[i].high);
    }
}

using Multiply = void (*)(const Strips&, std::size_t, std::size_t, std::size_t);

template <std::size_t... fewer>
constexpr auto table(std::index_sequence<fewer...>) {
    return std::array<Multiply, longest>{multiply<fewer + 1>...};
}

constexpr std::array<Multiply, longest> of_length = table(std::make_index_sequence<longest>());

STEND_FOR_ANY

}  // namespace

void multiply_strips(const Strips& strips) noexcept {
    const std::size_t count = (strips.count + longest - 1) / longest;
    constexpr std::size_t lines = matrix / line;
    for (std::size_t strip = 0; strip < count; ++strip) {
        const std::size_t first = strips.count * strip / count,
                          last = strips.count * (strip + 1) / count;
        of_length[last - first - 1](strips, first, lines * strip / count,
                                    lines * (strip + 1) / count);
    }
}

}  // namespace stend::unet::bfloat16
#endif
