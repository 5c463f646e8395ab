// MGM's sum of products in GF(2^64) with PCLMULQDQ (RFC 9058, 4.1): products of 128 bits are added
// up as they are, and reduced once. To be included between STEND_FOR("avx2,pclmul") and
// STEND_FOR_ANY; Lanes is a tag of the variant's own.
#pragma once

#include "gost/product.h"
#include "gost/x86/intrinsics.h"

namespace stend::gost::magma {

template <typename Lanes>
struct CarrylessProduct {
    template <std::size_t block>
    static void add(std::uint8_t* sum, const std::uint8_t* h, const std::uint8_t* x,
                    std::size_t blocks) {
        static_assert(block == 8);
        __m128i even = _mm_cvtsi64_si128(static_cast<long long>(load_big<std::uint64_t>(sum)));
        __m128i odd = _mm_setzero_si128();
        std::size_t i = 0;
        for (; i + 2 <= blocks; i += 2) {
            const __m128i a = numbers(h + 8 * i), b = numbers(x + 8 * i);
            even = _mm_xor_si128(even, _mm_clmulepi64_si128(a, b, 0x00));
            odd = _mm_xor_si128(odd, _mm_clmulepi64_si128(a, b, 0x11));
        }
        if (i < blocks) even = _mm_xor_si128(even, last(h + 8 * i, x + 8 * i));
        even = _mm_xor_si128(even, odd);
        store_big(sum, reduced_64({static_cast<std::uint64_t>(_mm_cvtsi128_si64(even)),
                                   static_cast<std::uint64_t>(_mm_extract_epi64(even, 1))}));
    }

private:
    [[gnu::always_inline]] static __m128i numbers(const std::uint8_t* blocks) {
        const __m128i reversed = _mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
        return _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(blocks)),
                                reversed);
    }

    [[gnu::always_inline]] static __m128i last(const std::uint8_t* h, const std::uint8_t* x) {
        return _mm_clmulepi64_si128(
            _mm_cvtsi64_si128(static_cast<long long>(load_big<std::uint64_t>(h))),
            _mm_cvtsi64_si128(static_cast<long long>(load_big<std::uint64_t>(x))), 0x00);
    }
};

}  // namespace stend::gost::magma
