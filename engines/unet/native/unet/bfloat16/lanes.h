// A pixel of 32 channels between planes of bfloat16 and registers of float32. `parts` is how many
// bfloat16 a number is split in: 1 or 2.
//
// VCVTNE2PS2BF16 rounds to the nearest, ties to the even, and takes numbers below 2^-126 for zero.
#pragma once

// GCC 12 takes the undefined vectors inside its own intrinsics for faults of ours
// (gcc.gnu.org/PR105593).
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "isa/target.h"
#include "unet/bfloat16/numbers.h"
#include "unet/blocked/planes.h"

namespace stend::unet::bfloat16 {

inline constexpr std::size_t plane_channels = 32;  // bfloat16 in a pixel of a plane

inline std::ptrdiff_t signed_of(std::size_t number) {
    return static_cast<std::ptrdiff_t>(number);
}

inline const Number* numbers(const float* plane) {
    return reinterpret_cast<const Number*>(plane);
}

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16")

// A pair of channels of one pixel, on every lane.
STEND_INLINE __m512bh pair_everywhere(const Number* pair) {
    std::int32_t both;
    __builtin_memcpy(&both, pair, sizeof both);
    __m512i everywhere = _mm512_set1_epi32(both);
#if defined(__clang__)  // Clang 16 crashes on a broadcast of bfloat16 that it can see through
    asm("" : "+v"(everywhere));
#endif
    __m512bh numbers;
    __builtin_memcpy(&numbers, &everywhere, sizeof numbers);
    return numbers;
}

// Of 16 output channels, for such a pair.
STEND_INLINE __m512bh weights_at(const Number* weights) {
    __m512bh numbers;
    __builtin_memcpy(&numbers, weights, sizeof numbers);
    return numbers;
}

// Channels 0 to 15, and 16 to 31.
struct Lanes {
    __m512 low, high;
};

STEND_INLINE Lanes operator+(Lanes a, Lanes b) {
    return {_mm512_add_ps(a.low, b.low), _mm512_add_ps(a.high, b.high)};
}

STEND_INLINE Lanes operator-(Lanes a, Lanes b) {
    return {_mm512_sub_ps(a.low, b.low), _mm512_sub_ps(a.high, b.high)};
}

// The second when one is no number, so that behind ReLU, too, it is seen that sums outgrew float32.
STEND_INLINE Lanes larger(Lanes a, Lanes b) {
    return {_mm512_max_ps(a.low, b.low), _mm512_max_ps(a.high, b.high)};
}

STEND_INLINE Lanes lanes(const float* floats) {
    return {_mm512_loadu_ps(floats), _mm512_loadu_ps(floats + 16)};
}

STEND_INLINE Lanes zero() {
    return {_mm512_setzero_ps(), _mm512_setzero_ps()};
}

STEND_INLINE __m512 widened(__m256i numbers) {
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(numbers), 16));
}

STEND_INLINE Lanes widened(__m512i pixel) {
    return {widened(_mm512_castsi512_si256(pixel)), widened(_mm512_extracti64x4_epi64(pixel, 1))};
}

STEND_INLINE __m512i rounded(Lanes lanes) {
    const __m512bh numbers = _mm512_cvtne2ps_pbh(lanes.high, lanes.low);
    __m512i pixel;
    __builtin_memcpy(&pixel, &numbers, sizeof pixel);
    return pixel;
}

// `planes[0]` holds the nearest numbers, `planes[apart]` what is left of them.
template <std::size_t parts>
STEND_INLINE Lanes read(const blocked::Plane* planes, std::size_t apart, std::ptrdiff_t offset) {
    const Lanes high = widened(_mm512_load_si512(planes[0] + offset));
    if constexpr (parts == 1) return high;
    return high + widened(_mm512_load_si512(planes[apart] + offset));
}

template <std::size_t parts>
STEND_INLINE void write(const blocked::Plane* planes, std::size_t apart, std::ptrdiff_t offset,
                        Lanes value) {
    const __m512i high = rounded(value);
    _mm512_store_si512(planes[0] + offset, high);
    if constexpr (parts == 2)
        _mm512_store_si512(planes[apart] + offset, rounded(value - widened(high)));
}

STEND_FOR_ANY

}  // namespace stend::unet::bfloat16
