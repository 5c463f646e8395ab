// 512 blocks in memory to planes and back: twice three steps that exchange a bit of a register's
// number with a bit of the byte's place in its block, and GFNI's 8 x 8 bit transpositions between
// them. What is between the steps lies in the planes' places, so that 4 KiB are enough.
//
// A step is a shuffle on port 5 for each register, or a shift on port 0 and a ternary gate on
// either. One step of three by shifts: 288 cycles on two ports instead of 384 on one.
#pragma once
#if defined(__x86_64__)
#include "gost/magma/avx512/planes.h"

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni,pclmul,vpclmulqdq")
namespace stend::gost::magma::avx512 {

// Where bit `bit` of byte `byte` of a block is among the planes; the right half's first.
template <Order order>
constexpr unsigned plane(unsigned byte, unsigned bit) {
    return 8 * (order == Order::big ? 7 - byte : byte) + bit;
}

// Registers i and i + 2^bit exchange the bytes whose numbers have that bit and those that have not.
template <unsigned bit>
[[gnu::always_inline]] inline void exchange(__m512i& a, __m512i& b) {
    const __m512i low = a;
    if constexpr (bit == 2) {
        const __m512i lower = _mm512_set1_epi64(0xFFFFFFFF);
        a = ternary<chosen>(lower, a, _mm512_slli_epi64(b, 32));
        b = ternary<chosen>(lower, _mm512_srli_epi64(low, 32), b);
    } else {
        constexpr __mmask64 upper = bit == 0 ? 0xAAAAAAAAAAAAAAAA : 0xCCCCCCCCCCCCCCCC;
        __m512i other = bit == 0
                            ? _mm512_set4_epi32(0x0E0F0C0D, 0x0A0B0809, 0x06070405, 0x02030001)
                            : _mm512_set4_epi32(0x0D0C0F0E, 0x09080B0A, 0x05040706, 0x01000302);
        asm(""
            : "+v"(other));  // clang would make permutes of two registers of these, twice as slow
        a = _mm512_mask_shuffle_epi8(a, upper, b, other);
        b = _mm512_mask_shuffle_epi8(b, ~upper, low, other);
    }
}

template <unsigned bit>
[[gnu::always_inline]] inline void exchange_all(__m512i* v) {
#pragma GCC unroll 8
    for (unsigned i = 0; i < 8; ++i)
        if (!(i >> bit & 1)) exchange<bit>(v[i], v[i + (1U << bit)]);
}

// Byte i of each block in register j becomes byte j of register i.
[[gnu::always_inline]] inline void bytes_turned(__m512i* v) {
    exchange_all<2>(v), exchange_all<1>(v), exchange_all<0>(v);
}

inline constexpr std::uint64_t transposed = 0x8040201008040201, mirrored = 0x0102040810204080;

[[gnu::always_inline]] inline __m512i bits_turned(__m512i x, std::uint64_t matrix) {
    return affine<0>(_mm512_set1_epi64(static_cast<long long>(matrix)), x);
}

// load(i): blocks 8 * i to 8 * i + 7, asked for in order.
template <Order order, typename Load>
[[gnu::always_inline]] inline void to_planes(Planes& planes, Load load) {
    for (unsigned i = 0; i < 8; ++i) {
        __m512i v[8];
#pragma GCC unroll 8
        for (unsigned j = 0; j < 8; ++j) v[j] = load(8 * i + j);
        bytes_turned(v);
#pragma GCC unroll 8
        for (unsigned byte = 0; byte < 8; ++byte)
            planes.of[plane<order>(byte, i)] = bits_turned(v[byte], transposed);
    }
#pragma GCC unroll 8
    for (unsigned byte = 0; byte < 8; ++byte) {
        __m512i* const row = planes.of + plane<order>(byte, 0);
        __m512i v[8];
#pragma GCC unroll 8
        for (unsigned i = 0; i < 8; ++i) v[i] = row[i];
        bytes_turned(v);
#pragma GCC unroll 8
        for (unsigned bit = 0; bit < 8; ++bit) row[bit] = v[bit];
    }
}

// Calls out(i, x) with blocks 8 * i to 8 * i + 7, in order.
template <Order order, typename Write>
[[gnu::always_inline]] inline void from_planes(Planes& planes, Write out) {
#pragma GCC unroll 8
    for (unsigned byte = 0; byte < 8; ++byte) {
        __m512i* const row = planes.of + (plane<order>(byte, 0) ^ 32);
        __m512i v[8];
#pragma GCC unroll 8
        for (unsigned bit = 0; bit < 8; ++bit) v[bit] = row[7 - bit];
        bytes_turned(v);
#pragma GCC unroll 8
        for (unsigned i = 0; i < 8; ++i) row[i] = bits_turned(v[i], mirrored);
    }
    for (unsigned i = 0; i < 8; ++i) {
        __m512i v[8];
#pragma GCC unroll 8
        for (unsigned byte = 0; byte < 8; ++byte) v[byte] = planes.of[plane<order>(byte, i) ^ 32];
        bytes_turned(v);
#pragma GCC unroll 8
        for (unsigned j = 0; j < 8; ++j) out(8 * i + j, v[j]);
    }
}

}  // namespace stend::gost::magma::avx512
STEND_FOR_ANY
#endif
