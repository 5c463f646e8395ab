// How blocks are numbered: by their halves, as 32-bit lanes.
#pragma once
#if defined(__x86_64__)
#include "gost/magma/avx512/words.h"

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni,pclmul,vpclmulqdq")
namespace stend::gost::magma::avx512 {

// The halves of block number start + i. `whole` counts modulo 2^64 (CTR), `right` and `left` count
// in one half modulo 2^32 and keep the other (MGM's Y and Z).
enum class Counts { whole, right, left };

template <Counts what>
struct Counter {
    std::uint32_t left, right;

    [[gnu::always_inline]] static Counter of(Bytes block) {
        return {load_big<std::uint32_t>(block), load_big<std::uint32_t>(block + 4)};
    }
    void advance(std::uint64_t by) {
        const auto steps = static_cast<std::uint32_t>(by);
        if constexpr (what == Counts::left) {
            left += steps;
        } else {
            right += steps;
            if constexpr (what == Counts::whole)
                left += static_cast<std::uint32_t>(by >> 32) + (right < steps);
        }
    }
    void store(Out block) const {
        store_big(block, left);
        store_big(block + 4, right);
    }

    // i: numbers below 2^31.
    [[gnu::always_inline]] void halves(__m512i i, __m512i& rights, __m512i& lefts) const {
        rights = _mm512_set1_epi32(static_cast<int>(right));
        lefts = _mm512_set1_epi32(static_cast<int>(left));
        if constexpr (what == Counts::left) {
            lefts = _mm512_add_epi32(lefts, i);
        } else {
            const __m512i first = rights;
            rights = _mm512_add_epi32(rights, i);
            if constexpr (what == Counts::whole)
                lefts = _mm512_mask_add_epi32(lefts, _mm512_cmplt_epu32_mask(rights, first), lefts,
                                              _mm512_set1_epi32(1));
        }
    }
};

}  // namespace stend::gost::magma::avx512
STEND_FOR_ANY
#endif
