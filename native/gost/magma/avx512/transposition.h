// 512 blocks in memory to planes and back: six steps that exchange a bit of a register's number
// with a bit of the byte's place in it, and one of GFNI's 8 x 8 bit transpositions between them.
// What is between the steps lies in the planes' places: each half of the steps reads what it is to
// overwrite first, so that 4 KiB are enough.
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

[[gnu::always_inline]] inline void interleave_8(__m512i* v) {
    __m512i o[8];
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
        o[2 * i] = _mm512_unpacklo_epi8(v[i], v[i + 4]);
        o[2 * i + 1] = _mm512_unpackhi_epi8(v[i], v[i + 4]);
    }
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) v[i] = o[i];
}

inline constexpr std::uint64_t transposed = 0x8040201008040201, mirrored = 0x0102040810204080;

[[gnu::always_inline]] inline __m512i bits_turned(__m512i x, std::uint64_t matrix) {
    return affine<0>(_mm512_set1_epi64(static_cast<long long>(matrix)), x);
}

// load(i): blocks 8 * i to 8 * i + 7, asked for in order.
template <Order order, typename Load>
[[gnu::always_inline]] inline void to_planes(Planes& planes, Load load) {
    const auto row = [&planes](unsigned i) {
        return planes.of + plane<order>(2 * (i % 4) + i / 4, 0);
    };
    for (unsigned g = 0; g < 8; ++g) {
        __m512i v[8];
#pragma GCC unroll 8
        for (unsigned i = 0; i < 8; ++i) v[i] = load(8 * g + i);
        interleave_8(v), interleave_8(v), interleave_8(v);
#pragma GCC unroll 8
        for (unsigned i = 0; i < 8; ++i) row(i)[g] = bits_turned(v[i], transposed);
    }
#pragma GCC unroll 4
    for (unsigned q = 0; q < 4; ++q) {
        __m512i u[8], w[8];
#pragma GCC unroll 8
        for (unsigned i = 0; i < 8; ++i) u[i] = row(q)[i], w[i] = row(q + 4)[i];
        interleave_8(u), interleave_8(u), interleave_8(u);
        interleave_8(w), interleave_8(w), interleave_8(w);
#pragma GCC unroll 8
        for (unsigned i = 0; i < 8; ++i) {
            const unsigned byte = 2 * q + (i >> 2), bit = 2 * (i & 3);
            planes.of[plane<order>(byte, bit)] = _mm512_unpacklo_epi64(u[i], w[i]);
            planes.of[plane<order>(byte, bit + 1)] = _mm512_unpackhi_epi64(u[i], w[i]);
        }
    }
}

// Calls out(i, x) with blocks 8 * i to 8 * i + 7, in order.
template <Order order, typename Write>
[[gnu::always_inline]] inline void from_planes(Planes& planes, Write out) {
    const auto row = [&planes](unsigned byte) { return planes.of + (plane<order>(byte, 0) ^ 32); };
#pragma GCC unroll 8
    for (unsigned byte = 0; byte < 8; ++byte) {
        __m512i v[8];
#pragma GCC unroll 8
        for (unsigned bit = 0; bit < 8; ++bit) v[bit] = row(byte)[7 - bit];
        interleave_8(v), interleave_8(v), interleave_8(v);
#pragma GCC unroll 8
        for (unsigned i = 0; i < 8; ++i) row(byte)[i] = bits_turned(v[i], mirrored);
    }
    for (unsigned i = 0; i < 4; ++i) {
        __m512i u[8], w[8];
#pragma GCC unroll 8
        for (unsigned j = 0; j < 8; ++j) u[j] = row(j)[i], w[j] = row(j)[i + 4];
        interleave_8(u), interleave_8(u), interleave_8(u);
        interleave_8(w), interleave_8(w), interleave_8(w);
#pragma GCC unroll 8
        for (unsigned j = 0; j < 8; ++j) {
            const unsigned at = (i * 2 + (j >> 2)) * 8 + (j & 3) * 2;
            out(at, _mm512_unpacklo_epi64(u[j], w[j]));
            out(at + 1, _mm512_unpackhi_epi64(u[j], w[j]));
        }
    }
}

}  // namespace stend::gost::magma::avx512
STEND_FOR_ANY
#endif
