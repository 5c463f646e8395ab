// Sums of products in MGM's GF(2^64) (RFC 9058, 4.1): two carry-less multiplications and one
// addition for eight blocks, and one reduction at the end.
#pragma once
#if defined(__x86_64__)
#include "gost/magma/avx512/words.h"

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni,pclmul,vpclmulqdq")
namespace stend::gost::magma::avx512 {

class Product {
public:
    [[gnu::always_inline]] Product() : total_(_mm512_setzero_si512()) {}

    // h: eight numbers; x: eight blocks in memory's order.
    [[gnu::always_inline]] void add(__m512i h, __m512i x) {
        x = _mm512_shuffle_epi8(x,
                                _mm512_set4_epi32(0x08090A0B, 0x0C0D0E0F, 0x00010203, 0x04050607));
        total_ = ternary<all_xor>(total_, _mm512_clmulepi64_epi128(h, x, 0x00),
                                  _mm512_clmulepi64_epi128(h, x, 0x11));
    }

    // Modulo the polynomial x^64 + x^4 + x^3 + x + 1.
    std::uint64_t reduced() const {
        const __m256i half =
            _mm256_xor_si256(_mm512_castsi512_si256(total_), _mm512_extracti64x4_epi64(total_, 1));
        __m128i x = _mm_xor_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
        const __m128i rest = _mm_cvtsi32_si128(0x1B);
        const __m128i once = _mm_clmulepi64_si128(x, rest, 0x01);
        const __m128i twice = _mm_clmulepi64_si128(once, rest, 0x01);
        x = _mm_xor_si128(_mm_xor_si128(x, once), twice);
        return static_cast<std::uint64_t>(_mm_cvtsi128_si64(x));
    }

private:
    __m512i total_;
};

}  // namespace stend::gost::magma::avx512
STEND_FOR_ANY
#endif
