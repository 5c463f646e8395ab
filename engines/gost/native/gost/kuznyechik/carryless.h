// MGM's sum of products in GF(2^128) with PCLMULQDQ (RFC 9058, 4.1): products of 256 bits are added
// up as they are, and reduced once. To be included between STEND_FOR("avx2,pclmul") and
// STEND_FOR_ANY; Lanes is a tag of the variant's own.
#pragma once

#include "gost/product.h"
#include "gost/x86/intrinsics.h"

namespace stend::gost::kuznyechik {

template <typename Lanes>
struct CarrylessProduct {
    template <std::size_t block>
    static void add(std::uint8_t* sum, const std::uint8_t* h, const std::uint8_t* x,
                    std::size_t blocks) {
        static_assert(block == 16);
        __m128i low = number(sum), middle = _mm_setzero_si128(), high = middle;
        for (std::size_t i = 0; i < 16 * blocks; i += 16) {
            const __m128i a = number(h + i), b = number(x + i);
            low = _mm_xor_si128(low, _mm_clmulepi64_si128(a, b, 0x00));
            high = _mm_xor_si128(high, _mm_clmulepi64_si128(a, b, 0x11));
            middle = _mm_xor_si128(middle, _mm_clmulepi64_si128(a, b, 0x01));
            middle = _mm_xor_si128(middle, _mm_clmulepi64_si128(a, b, 0x10));
        }
        low = _mm_xor_si128(low, _mm_slli_si128(middle, 8));
        high = _mm_xor_si128(high, _mm_srli_si128(middle, 8));
        const Wide total = reduced_128(halves(low), halves(high));
        store_big(sum, total.high);
        store_big(sum + 8, total.low);
    }

private:
    [[gnu::always_inline]] static __m128i number(const std::uint8_t* block) {
        const __m128i reversed = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        return _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(block)), reversed);
    }

    [[gnu::always_inline]] static Wide halves(__m128i x) {
        return {static_cast<std::uint64_t>(_mm_cvtsi128_si64(x)),
                static_cast<std::uint64_t>(_mm_extract_epi64(x, 1))};
    }
};

}  // namespace stend::gost::kuznyechik
