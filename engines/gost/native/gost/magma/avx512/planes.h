// The rounds bitsliced: 512 blocks at once, of which a register holds the same bit.
//
// An addition is two ternary gates a bit and a substitution ten (circuits.h), with the sum into the
// other half: 143 instructions a round and batch, which two ports do in 71.5 cycles, 0.56 cycles a
// byte for all rounds. The rotation by 11 is the planes' numbers.
#pragma once
#if defined(__x86_64__)
#include <utility>

#include "gost/magma/avx512/circuits.h"
#include "gost/magma/avx512/words.h"

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni,pclmul,vpclmulqdq")
namespace stend::gost::magma::avx512 {

inline constexpr std::size_t batch = 512;  // blocks

// VPTERNLOG's functions: the carry of a + b + c, and a ? b : c.
inline constexpr int majority = 0xE8, chosen = 0xCA;

struct Planes {
    __m512i of[64];  // the right half's bits, lowest first, then the left half's

    Planes() = default;
    Planes(const Planes&) = delete;
    Planes& operator=(const Planes&) = delete;
    // As wipe.h does it, but 64 bytes at a time.
    ~Planes() {
        for (__m512i& plane : of) plane = _mm512_setzero_si512();
        asm volatile("" : : "r"(of) : "memory");
    }
};

template <Step step>
[[gnu::always_inline]] inline void one_step(__m512i* nodes) {
    nodes[step.to] = ternary<step.table>(nodes[step.a], nodes[step.b], nodes[step.c]);
}

// left ^= a substitution of the four bits, rotated by 11.
template <unsigned box, std::size_t... i>
[[gnu::always_inline]] inline void substituted(__m512i* nodes, __m512i* left,
                                               std::index_sequence<i...>) {
#pragma GCC unroll 4
    for (unsigned bit = 0; bit < 4; ++bit) nodes[10 + bit] = left[(4 * box + bit + 11) % 32];
    (one_step<circuits[box].steps[i]>(nodes), ...);
#pragma GCC unroll 4
    for (unsigned bit = 0; bit < 4; ++bit) left[(4 * box + bit + 11) % 32] = nodes[10 + bit];
}

// Four bits of the sum of right and key, and the carry to the next four. The carry is computed from
// the bit of the sum and not from the key's: each instruction then overwrites what is not needed
// any more.
template <unsigned box>
[[gnu::always_inline]] inline void added(const __m512i* right, const std::uint64_t* key,
                                         __m512i& carry, __m512i* sum) {
#pragma GCC unroll 4
    for (unsigned i = 0; i < 4; ++i) {
        const __m512i a = right[4 * box + i];
        const __m512i b = _mm512_set1_epi64(static_cast<long long>(key[4 * box + i]));
        sum[i] = ternary<all_xor>(b, a, carry);
        carry = ternary<majority>(carry, a, b);
    }
}

template <unsigned box>
[[gnu::always_inline]] inline void round_from(const __m512i* right, __m512i* left,
                                              const std::uint64_t* key, __m512i carry) {
    __m512i nodes[14];
    added<box>(right, key, carry, nodes);
    substituted<box>(nodes, left, std::make_index_sequence<10>());
    if constexpr (box < 7) round_from<box + 1>(right, left, key, carry);
}

// left ^= g(right).
[[gnu::always_inline]] inline void plane_round(const __m512i* right, __m512i* left,
                                               const std::uint64_t* key) {
    round_from<0>(right, left, key, _mm512_setzero_si512());
#if defined(__clang__)
    // Clang 16 holds planes in registers from round to round and spills more than that saves: with
    // all of them in memory the rounds take 3,300 cycles instead of 4,600.
    asm volatile("" : : : "memory");
#endif
}

// What will be read and written some batches later: fetched while the rounds need no memory.
class Ahead {
public:
    static constexpr std::size_t distance = 2;  // batches; tried: 1, 2, 3, 4

    // `blocks` of the message are left, this batch being the first of them; out may be null.
    Ahead(Bytes in, Out out, std::size_t blocks)
        : in_(in + distance * 8 * batch),
          out_(out == nullptr ? out : out + distance * 8 * batch),
          there_(blocks >= (distance + 1) * batch),
          writes_(out != nullptr && out != in) {}

    // A sixteenth of a batch.
    [[gnu::always_inline]] void fetch(unsigned part) const {
        if (!there_) return;
#pragma GCC unroll 4
        for (unsigned i = 0; i < 4; ++i) {
            __builtin_prefetch(in_ + 256 * part + 64 * i, 0);
            if (writes_) __builtin_prefetch(out_ + 256 * part + 64 * i, 1);
        }
    }

private:
    Bytes in_, out_;
    bool there_, writes_;
};

// A function of its own: where it was part of others, gcc 12 spilled a third more planes.
template <Way way>
[[gnu::noinline]] void plane_rounds(const Keys& keys, Planes& x, Ahead ahead) {
    for (unsigned i = 0; i < 32; i += 2) {
        ahead.fetch(i / 2);
        plane_round(x.of, x.of + 32, keys.planes[order_of<way>.of[i]]);
        plane_round(x.of + 32, x.of, keys.planes[order_of<way>.of[i + 1]]);
    }
}

}  // namespace stend::gost::magma::avx512
STEND_FOR_ANY
#endif
