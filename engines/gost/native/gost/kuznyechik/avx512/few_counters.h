// The counters of a short message with MGM as blocks in memory, and what their encryptions cover.
// To be included inside STEND_FOR. Whole registers are written: what loads them next, four blocks
// at a time, takes them from the store buffer.
#pragma once

#include <algorithm>

#include "gost/block.h"
#include "gost/kuznyechik/avx512/slices.h"

namespace stend::gost::kuznyechik::sliced {

// Which half of a counter counts, without a carry (MGM's Z and Y).
enum class Counts { left_half, right_half };

// Room for `blocks` blocks and for what is written after them.
constexpr std::size_t room_for(std::size_t blocks) {
    return 16 * (blocks + 3);
}

// Writes counters, as many as blocks at least, and moves the counter on by `blocks`.
template <Counts counts>
STEND_INLINE void write_counters(Out counter, Out to, std::size_t blocks) {
    const auto here = _mm_loadu_si128(reinterpret_cast<const __m128i*>(counter));
    const Vector first = turned_round(_mm512_maskz_broadcast_i32x4(0xFFFF, here));
    constexpr bool left = counts == Counts::left_half;
    const Vector four =
        left ? _mm512_set_epi64(4, 0, 4, 0, 4, 0, 4, 0) : _mm512_set_epi64(0, 4, 0, 4, 0, 4, 0, 4);
    Vector steps =
        left ? _mm512_set_epi64(3, 0, 2, 0, 1, 0, 0, 0) : _mm512_set_epi64(0, 3, 0, 2, 0, 1, 0, 0);
    for (std::size_t i = 0; i < blocks; i += 4, steps = _mm512_add_epi64(steps, four)) {
        _mm512_storeu_si512(to + 16 * i, turned_round(_mm512_add_epi64(first, steps)));
    }
    advance_half<16>(counter + (left ? 0 : 8), blocks);
}

// out = in ^ gamma.
STEND_INLINE void cover_few_blocks(Bytes gamma, Bytes in, Out out, std::size_t blocks) {
    for (std::size_t i = 0; i < blocks; i += 4) {
        const std::size_t words = 2 * std::min<std::size_t>(blocks - i, 4);
        const auto there = static_cast<__mmask8>((1U << words) - 1);
        _mm512_mask_storeu_epi64(out + 16 * i, there,
                                 sum(_mm512_maskz_loadu_epi64(there, gamma + 16 * i),
                                     _mm512_maskz_loadu_epi64(there, in + 16 * i)));
    }
}

}  // namespace stend::gost::kuznyechik::sliced
