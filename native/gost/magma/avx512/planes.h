// The rounds bitsliced: 512 blocks at once, of which a register holds the same bit.
//
// An addition is two ternary gates a bit and a substitution ten (circuits.h), with the sum into the
// other half: 143 instructions a round and batch, which two ports do in 71.5 cycles, 0.56 cycles a
// byte for all rounds. The rotation by 11 is the planes' numbers.
#pragma once
#if defined(__x86_64__)
#include "gost/magma/avx512/circuits.h"
#include "gost/magma/avx512/words.h"

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni,pclmul,vpclmulqdq")
namespace stend::gost::magma::avx512 {

inline constexpr std::size_t batch = 512;  // blocks

inline constexpr int majority = 0xE8;  // VPTERNLOG's function

struct Planes {
    __m512i of[64];  // the right half's bits, lowest first, then the left half's
};

// left ^= a substitution of the four bits, rotated by 11.
template <unsigned box>
[[gnu::always_inline]] inline void substituted(__m512i* nodes, __m512i* left) {
    constexpr Circuit c = circuits[box];
    nodes[4] =
        ternary<c.gates[0].table>(nodes[c.gates[0].a], nodes[c.gates[0].b], nodes[c.gates[0].c]);
    nodes[5] =
        ternary<c.gates[1].table>(nodes[c.gates[1].a], nodes[c.gates[1].b], nodes[c.gates[1].c]);
    nodes[6] =
        ternary<c.gates[2].table>(nodes[c.gates[2].a], nodes[c.gates[2].b], nodes[c.gates[2].c]);
    nodes[7] =
        ternary<c.gates[3].table>(nodes[c.gates[3].a], nodes[c.gates[3].b], nodes[c.gates[3].c]);
    nodes[8] =
        ternary<c.gates[4].table>(nodes[c.gates[4].a], nodes[c.gates[4].b], nodes[c.gates[4].c]);
    nodes[9] =
        ternary<c.gates[5].table>(nodes[c.gates[5].a], nodes[c.gates[5].b], nodes[c.gates[5].c]);
    constexpr unsigned p0 = (4 * box + 11) % 32, p1 = (4 * box + 12) % 32;
    constexpr unsigned p2 = (4 * box + 13) % 32, p3 = (4 * box + 14) % 32;
    left[p0] = ternary<c.sums[0].table>(left[p0], nodes[c.sums[0].b], nodes[c.sums[0].c]);
    left[p1] = ternary<c.sums[1].table>(left[p1], nodes[c.sums[1].b], nodes[c.sums[1].c]);
    left[p2] = ternary<c.sums[2].table>(left[p2], nodes[c.sums[2].b], nodes[c.sums[2].c]);
    left[p3] = ternary<c.sums[3].table>(left[p3], nodes[c.sums[3].b], nodes[c.sums[3].c]);
}

// Four bits of the sum of right and key, and the carry to the next four.
template <unsigned box>
[[gnu::always_inline]] inline void added(const __m512i* right, const std::uint64_t* key,
                                         __m512i& carry, __m512i* sum) {
#pragma GCC unroll 4
    for (unsigned i = 0; i < 4; ++i) {
        const __m512i a = right[4 * box + i];
        const __m512i b = _mm512_set1_epi64(static_cast<long long>(key[4 * box + i]));
        sum[i] = ternary<all_xor>(a, b, carry);
        carry = ternary<majority>(a, b, carry);
    }
}

template <unsigned box>
[[gnu::always_inline]] inline void round_from(const __m512i* right, __m512i* left,
                                              const std::uint64_t* key, __m512i carry) {
    __m512i nodes[10];
    added<box>(right, key, carry, nodes);
    substituted<box>(nodes, left);
    if constexpr (box < 7) round_from<box + 1>(right, left, key, carry);
}

// left ^= g(right).
[[gnu::always_inline]] inline void plane_round(const __m512i* right, __m512i* left,
                                               const std::uint64_t* key) {
    round_from<0>(right, left, key, _mm512_setzero_si512());
}

template <Way way>
[[gnu::always_inline]] inline void plane_rounds(const Keys& keys, Planes& x) {
    for (unsigned i = 0; i < 32; i += 2) {
        plane_round(x.of, x.of + 32, keys.planes[order_of<way>.of[i]]);
        plane_round(x.of + 32, x.of, keys.planes[order_of<way>.of[i + 1]]);
    }
}

}  // namespace stend::gost::magma::avx512
STEND_FOR_ANY
#endif
