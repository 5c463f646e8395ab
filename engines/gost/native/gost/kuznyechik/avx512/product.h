// Sums of products in GF(2^128), the field of MGM (RFC 9058, 3). To be included inside
// STEND_FOR.
//
// The products are kept as three sums of 128-bit halves and brought back into the field once, at
// the end.
#pragma once

#include "gost/engine.h"
#include "gost/kuznyechik/avx512/slices.h"

namespace stend::gost::kuznyechik::sliced {

class Products {
public:
    STEND_INLINE Products()
        : low_(_mm512_setzero_si512()),
          middle_(_mm512_setzero_si512()),
          high_(_mm512_setzero_si512()) {}

    // Both as numbers.
    STEND_INLINE void add(Vector h, Vector x) {
        low_ = sum(low_, _mm512_clmulepi64_epi128(h, x, 0x00));
        high_ = sum(high_, _mm512_clmulepi64_epi128(h, x, 0x11));
        middle_ = sum(middle_, _mm512_clmulepi64_epi128(h, x, 0x01),
                      _mm512_clmulepi64_epi128(h, x, 0x10));
    }

    // Adds the sum to a block.
    STEND_INLINE void add_to(Out block) const {
        const __m128i middle = folded(middle_);
        __m128i low = _mm_xor_si128(folded(low_), _mm_slli_si128(middle, 8));
        const __m128i high = _mm_xor_si128(folded(high_), _mm_srli_si128(middle, 8));
        // t^128 = t^7 + t^2 + t + 1
        const __m128i tail = _mm_cvtsi64_si128(0x87);
        const __m128i upper = _mm_clmulepi64_si128(high, tail, 0x01);
        const __m128i lower = _mm_xor_si128(high, _mm_srli_si128(upper, 8));
        low = _mm_xor_si128(low, _mm_slli_si128(upper, 8));
        low = _mm_xor_si128(low, _mm_clmulepi64_si128(lower, tail, 0x00));
        const Vector sum = turned_round(_mm512_zextsi128_si512(low));
        const auto at = reinterpret_cast<__m128i*>(block);
        _mm_storeu_si128(
            at, _mm_xor_si128(_mm_loadu_si128(at), _mm512_maskz_extracti32x4_epi32(0xF, sum, 0)));
    }

private:
    // The four lanes of x summed. Masked by everything: g++ 12 warns of the plain intrinsics'
    // unused operand.
    STEND_INLINE static __m128i folded(Vector x) {
        const __m256i half = _mm256_xor_si256(_mm512_maskz_extracti64x4_epi64(0xF, x, 0),
                                              _mm512_maskz_extracti64x4_epi64(0xF, x, 1));
        return _mm_xor_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
    }

    Vector low_, middle_, high_;
};

}  // namespace stend::gost::kuznyechik::sliced
