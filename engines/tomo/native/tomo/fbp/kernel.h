// The inner loop: the rays through a tile of pixels, gathered into sums that stay in registers over
// a block of projections. To be included after STEND_FOR.
//
// An Arithmetic A says what a sample and a sum are made of; the slices of a batch are A::groups
// vectors of A::Lanes:
//
//     using Sum = a vector of 32-bit numbers;  using Weight = what the table of weights holds;
//     static constexpr unsigned weight_bits;    // of the fraction, that choose a weight
//     static Weights spread(Weight);            // to all lanes
//     static void add(Sum&, const float* sample, Weights);  // the sample and the next
#pragma once

#include <bit>

#include "tomo/fbp/geometry.h"
#include "tomo/lanes/lanes.h"

namespace stend::tomo::fbp {

// The rays of one projection through a row of a tile.
struct Ray {
    const float* samples;
    std::int64_t at, across, down;
};

// The bits of a position from `low` on, that many, times 2^shift. A rotation, as that doesn't
// destroy what it turns (rorx): one instruction fewer than shifts.
template <unsigned low, unsigned count, unsigned shift = 0>
STEND_INLINE std::uint32_t bits(std::uint32_t at) {
    constexpr unsigned right = low - shift;
    std::uint32_t turned = at >> right | at << (32 - right);
#if defined(__x86_64__) && defined(__clang__)
    asm("" : "+r"(turned));  // else clang makes shifts of it
#endif
    return turned & ((1U << count) - 1) << shift;
}

// How samples are found: a position is inside of them, or its line may be met outside.
struct Inside {
    using Position = std::uint32_t;
    template <unsigned stride_bits>
    STEND_INLINE static std::size_t offset(Position at) {
        return bits<fraction_bits, 32 - fraction_bits, stride_bits>(at);
    }
};
struct Anywhere {
    using Position = std::int64_t;
    std::int64_t last;  // the last sample but one; the first two and the last two are zeros
    template <unsigned stride_bits>
    STEND_INLINE std::size_t offset(Position at) const {
        const std::int64_t index = at >> fraction_bits;
        return static_cast<std::size_t>(index < 0 ? 0 : index > last ? last : index) << stride_bits;
    }
};

// Adds `count` rays to `width` pixels of the first `groups` vectors of slices.
template <typename A, unsigned groups, unsigned width, typename Where>
STEND_INLINE void gather(const Where& where, const typename A::Weight* weights, const Ray* rays,
                         unsigned count, unsigned column, typename A::Sum* to) {
    using Position = typename Where::Position;
    constexpr std::size_t vector = A::Lanes::count, stride = A::groups * vector;
    constexpr unsigned stride_bits = std::countr_zero(stride * sizeof(float));
    static_assert(std::has_single_bit(stride));
    typename A::Sum sums[width * groups];
#pragma GCC unroll 16
    for (unsigned x = 0; x < width; ++x)
#pragma GCC unroll 4
        for (unsigned g = 0; g < groups; ++g) sums[x * groups + g] = to[x * A::groups + g];
    for (unsigned k = 0; k < count; ++k) {
        const auto* samples = reinterpret_cast<const std::byte*>(rays[k].samples);
        const auto across = static_cast<Position>(rays[k].across);
        Position at = static_cast<Position>(rays[k].at) + column * across;
#pragma GCC unroll 16
        for (unsigned x = 0; x < width; ++x, at += across) {
            const auto* sample =
                reinterpret_cast<const float*>(samples + where.template offset<stride_bits>(at));
            const auto weight =
                A::spread(weights[bits<fraction_bits - A::weight_bits, A::weight_bits>(
                    static_cast<std::uint32_t>(at))]);
#pragma GCC unroll 4
            for (unsigned g = 0; g < groups; ++g)
                A::template add<stride>(sums[x * groups + g], sample + g * vector, weight);
        }
    }
#pragma GCC unroll 16
    for (unsigned x = 0; x < width; ++x)
#pragma GCC unroll 4
        for (unsigned g = 0; g < groups; ++g) to[x * A::groups + g] = sums[x * groups + g];
}

template <typename A, unsigned groups, unsigned width, typename Where>
void gather_tile(const Where& where, const typename A::Weight* weights, Ray* rays, unsigned count,
                 typename A::Sum* to) {
    for (unsigned y = 0; y < tile_height; ++y) {
        for (unsigned column = 0; column < tile_width; column += width)
            gather<A, groups, width>(where, weights, rays, count, column,
                                     to + (y * tile_width + column) * A::groups);
        for (unsigned k = 0; k < count; ++k) rays[k].at += rays[k].down;
    }
}

}  // namespace stend::tomo::fbp
