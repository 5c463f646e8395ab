// How blocks lie in a register of 64 bytes, in the field of AES: one in four copies (Copied), two
// in two copies each (Paired), or four (Packed). To be included inside STEND_FOR, after
// x86/secret.h.
#pragma once

#include <utility>

#include "gost/engine.h"
#include "gost/kuznyechik/avx512/tables.h"
#include "gost/x86/intrinsics.h"
#include "gost/x86/secret.h"

namespace stend::gost::kuznyechik::wide {

using Vector = __m512i;

STEND_INLINE Vector load(const Row& row) {
    return _mm512_load_si512(row.bytes);
}
STEND_INLINE Vector everywhere(std::uint64_t matrix) {
    return _mm512_set1_epi64(static_cast<long long>(matrix));
}
STEND_INLINE Vector sum(Vector a, Vector b) {
    return _mm512_xor_si512(a, b);
}
STEND_INLINE Vector sum(Vector a, Vector b, Vector c) {
    return ternary<0x96>(a, b, c);
}
// Masks of everything: without them, g++ 12 warns of the intrinsics' unused operand.
inline constexpr __mmask16 all_words = 0xFFFF;
STEND_INLINE Vector permuted(Vector places, Vector x) {
    return moved(places, x);
}
STEND_INLINE Vector times(Vector a, Vector b) {
    return _mm512_gf2p8mul_epi8(a, b);
}

// Keeps the compiler from doing it in another way.
STEND_INLINE Vector kept(Vector x) {
#if !defined(STEND_FOLLOWS_POISON)
    asm("" : "+v"(x));
#endif
    return x;
}

// Each block of a register turned by 4t bytes: byte i becomes byte i + 4t.
template <unsigned t>
STEND_INLINE Vector turned(Vector x) {
    constexpr unsigned order = 0xE4E4 >> (2 * t) & 0xFF;
    return _mm512_maskz_shuffle_epi32(all_words, x, static_cast<_MM_PERM_ENUM>(order));
}

template <unsigned n, typename Work>
STEND_INLINE void each(Work work) {
    [&]<unsigned... i>(std::integer_sequence<unsigned, i...>) __attribute__((always_inline)) {
        (work(std::integral_constant<unsigned, i>{}), ...);
    }
    (std::make_integer_sequence<unsigned, n>{});
}

inline constexpr std::uint64_t inward = bit_matrix(to_aes), outward = bit_matrix(from_aes);
STEND_INLINE Vector into_field(Vector x) {
    return affine<0>(x, everywhere(inward));
}
STEND_INLINE Vector out_of_field(Vector x) {
    return affine<0>(x, everywhere(outward));
}

STEND_INLINE __m128i load_block(Bytes in) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(in));
}
STEND_INLINE void store_block(Out out, __m128i x) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), x);
}

template <int lane>
STEND_INLINE __m128i extracted(Vector x) {
    return _mm512_maskz_extracti32x4_epi32(0xF, x, lane);
}

// The words of 64 bits of the first `count` blocks of a register.
STEND_INLINE __mmask8 words(std::size_t count) {
    return static_cast<__mmask8>((1U << (2 * count)) - 1);
}
STEND_INLINE Vector load_blocks(Bytes in, std::size_t count) {
    return _mm512_maskz_loadu_epi64(words(count), in);
}
STEND_INLINE void store_blocks(Out out, Vector x, std::size_t count) {
    _mm512_mask_storeu_epi64(out, words(count), x);
}

// Each form: key(row) from ShortKeys; a register from blocks that lie one after the other in one,
// and back (from, to); from the blocks that source(i) gives, and to sink(i, block) (gathered,
// scatter), i below `blocks`.
struct Copied {
    static constexpr unsigned blocks = 1;

    STEND_INLINE static Vector key(const std::uint8_t (&row)[64]) { return _mm512_load_si512(row); }
    STEND_INLINE static Vector from(Vector x) {
        return into_field(permuted(load(turns.spread_copies), x));
    }
    STEND_INLINE static Vector to(Vector x) { return out_of_field(x); }

    // One block in memory.
    STEND_INLINE static Vector taken(Bytes in) {
        return from(_mm512_castsi128_si512(load_block(in)));
    }
    STEND_INLINE static void give(Vector x, Out out) { store_block(out, extracted<0>(to(x))); }

    template <typename Source>
    STEND_INLINE static Vector gathered(Source source) {
        return from(_mm512_castsi128_si512(source(0)));
    }
    template <typename Sink>
    STEND_INLINE static void scatter(Vector x, Sink sink) {
        sink(0, extracted<0>(to(x)));
    }
};

struct Paired {
    static constexpr unsigned blocks = 2;

    STEND_INLINE static Vector key(const std::uint8_t (&row)[64]) {
        return _mm512_maskz_broadcast_i64x4(
            0xFF, _mm256_load_si256(reinterpret_cast<const __m256i*>(row)));
    }
    STEND_INLINE static Vector from(Vector x) {
        return into_field(permuted(load(turns.spread_pairs), x));
    }
    STEND_INLINE static Vector to(Vector x) {
        const Vector y = out_of_field(x);
        return _mm512_maskz_shuffle_i64x2(0xFF, y, y, 0x08);  // lanes 0 and 2
    }

    template <typename Source>
    STEND_INLINE static Vector gathered(Source source) {
        return from(_mm512_castsi256_si512(_mm256_set_m128i(source(1), source(0))));
    }
    template <typename Sink>
    STEND_INLINE static void scatter(Vector x, Sink sink) {
        const Vector y = out_of_field(x);
        sink(0, extracted<0>(y));
        sink(1, extracted<2>(y));
    }
};

struct Packed {
    static constexpr unsigned blocks = 4;

    STEND_INLINE static Vector key(const std::uint8_t (&row)[64]) {
        return _mm512_maskz_broadcast_i32x4(all_words,
                                            _mm_load_si128(reinterpret_cast<const __m128i*>(row)));
    }
    STEND_INLINE static Vector from(Vector x) { return into_field(x); }
    STEND_INLINE static Vector to(Vector x) { return out_of_field(x); }

    template <typename Source>
    STEND_INLINE static Vector gathered(Source source) {
        const __m256i low = _mm256_set_m128i(source(1), source(0)),
                      high = _mm256_set_m128i(source(3), source(2));
        return into_field(_mm512_maskz_inserti64x4(0xFF, _mm512_castsi256_si512(low), high, 1));
    }
    template <typename Sink>
    STEND_INLINE static void scatter(Vector x, Sink sink) {
        const Vector y = out_of_field(x);
        sink(0, extracted<0>(y));
        sink(1, extracted<1>(y));
        sink(2, extracted<2>(y));
        sink(3, extracted<3>(y));
    }
};

}  // namespace stend::gost::kuznyechik::wide
