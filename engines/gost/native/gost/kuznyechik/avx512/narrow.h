// One block in two copies in a register of 32 bytes, the second turned by a byte: for Zen 4, where
// a permute of 32 bytes is there a cycle earlier than one of 64 and two of them fit a cycle. The
// constants and keys are the lower halves of those for registers of 64 bytes. To be included
// inside STEND_FOR, after x86/secret.h.
#pragma once

#include "gost/kuznyechik/avx512/forms.h"

namespace stend::gost::kuznyechik::wide {

using Half = __m256i;

STEND_INLINE Half load_half(const Byte* bytes) {
    return _mm256_load_si256(reinterpret_cast<const Half*>(bytes));
}
STEND_INLINE Half sum(Half a, Half b) {
    return _mm256_xor_si256(a, b);
}
STEND_INLINE Half sum(Half a, Half b, Half c) {
    return ternary<0x96>(a, b, c);
}

// A quarter of the substitution.
class Quarter {
public:
    STEND_INLINE explicit Quarter(const Row& row)
        : low_(load_half(row.bytes)), high_(load_half(row.bytes + 32)) {}
    STEND_INLINE Half operator[](Half x) const { return _mm256_permutex2var_epi8(low_, x, high_); }

private:
    const Half low_, high_;
};

template <const Tables& t>
class Narrow {
public:
    STEND_INLINE Narrow() {}

    STEND_INLINE static Half key(const std::uint8_t (&row)[64]) { return load_half(row); }

    STEND_INLINE static Half from(__m128i block) {
        const Half x = permuted(load_half(turns.spread_pairs.bytes), _mm256_castsi128_si256(block));
        return affine<0>(x, _mm256_set1_epi64x(static_cast<long long>(inward)));
    }
    STEND_INLINE static __m128i to(Half x) {
        return affine<0>(_mm256_castsi256_si128(x),
                         _mm_set1_epi64x(static_cast<long long>(outward)));
    }

    STEND_INLINE Half round(Half x, Half key) const { return mixed(substituted(x), key); }

    // Four look-ups in 64 bytes, of which bits 6 and 7 choose.
    STEND_INLINE Half substituted(Half x) const {
        const Half sixth = seventh(_mm256_add_epi8(x, x));
        const Half low = ternary<choice>(sixth, q1[x], q0[x]);
        const Half high = ternary<choice>(sixth, q3[x], q2[x]);
        return ternary<choice>(seventh(x), high, low);
    }

    // Summed in the order in which the products come.
    STEND_INLINE Half mixed(Half s, Half key) const {
        const Half u = _mm256_shuffle_epi8(s, by_two);
        const Half a = sum(times<0, 0>(s), times<1, 0>(s), times<2, 0>(s));
        const Half b = sum(a, times<3, 0>(s), times<0, 1>(u));
        const Half c = sum(b, times<1, 1>(u), times<2, 1>(u));
        const Half w = kept(sum(c, times<3, 1>(u)));
        return sum(permuted(f0, w), permuted(f1, w), key);
    }

private:
    static constexpr int choice = 0xCA;

    STEND_INLINE static Half kept(Half x) {
#if !defined(STEND_FOLLOWS_POISON)
        asm("" : "+v"(x));
#endif
        return x;
    }
    STEND_INLINE static Half permuted(Half places, Half x) {
        const Poison of_x(x, sizeof x);
        Half y = _mm256_maskz_permutexvar_epi8(~__mmask32{0}, places, x);
        of_x.put_everywhere(y);
        return y;
    }

    // Bit 7 as a mask.
    STEND_INLINE static Half seventh(Half x) {
        const Half none = _mm256_setzero_si256(), all = _mm256_set1_epi8(-1);
        return _mm256_max_epi8(kept(_mm256_min_epi8(x, none)), all);
    }

    // The products of the state turned by 4 * turn bytes.
    template <unsigned turn, unsigned by>
    STEND_INLINE static Half times(Half x) {
        constexpr unsigned order = 0xE4E4 >> (2 * turn) & 0xFF;
        const Half turned = turn == 0 ? x : _mm256_shuffle_epi32(x, order);
        return _mm256_gf2p8mul_epi8(turned, load_half(t.pairs[turn][by].bytes));
    }

    const Quarter q0{t.quarter[0]}, q1{t.quarter[1]}, q2{t.quarter[2]}, q3{t.quarter[3]};
    const Half by_two = load_half(turns.turned[2].bytes), f0 = load_half(turns.fold_pairs[0].bytes),
               f1 = load_half(turns.fold_pairs[1].bytes);
};

// Whether registers of 64 bytes go through in two halves.
inline bool narrow_is_faster() {
    return isa::amd_family() == 0x19;
}

}  // namespace stend::gost::kuznyechik::wide
