// Up to sixteen blocks at once by AVX2 alone: a vector for each of the sixteen bytes, with the
// lower halves of the blocks' bytes in its lower half and the upper halves in its upper, so that
// one pshufb multiplies sixteen bytes by a constant. Else as in many.h.
//
// A step of L is 27 instructions, of which 9 wait for the step before. That, too, is 9 cycles.
#pragma once
#if defined(__x86_64__)
#include "gost/kuznyechik/avx2/many.h"

namespace stend::gost::kuznyechik::avx2_only {

inline constexpr ByHalves same = by_halves([](std::uint8_t x) { return x; });

STEND_FOR("avx2")
namespace {

struct Split {
    V cell[16];
};

// Bytes that stand in both halves of x, halved.
[[gnu::always_inline]] inline V split(V x, V lower) {
    return _mm256_srlv_epi32(x, _mm256_set_epi32(4, 4, 4, 4, 0, 0, 0, 0)) & lower;
}
// What the two halves of a vector make together, in both.
[[gnu::always_inline]] inline V folded(V x) {
    return x ^ _mm256_permute4x64_epi64(x, 0x4E);
}
// A linear function of split bytes but for the sum of the halves.
[[gnu::always_inline]] inline V looked_up(const ByHalves& f, V x) {
    return _mm256_shuffle_epi8(_mm256_loadu_si256(reinterpret_cast<const V*>(f.low.data())), x);
}

// The new cell, which the next step gets as `newest`: from memory it would come later.
template <std::size_t k>
[[gnu::always_inline]] inline V step(Split& s, V newest, const Bases& b, V lower) {
    const auto at = [&](std::size_t i) __attribute__((always_inline)) {
        return s.cell[(k + 15 - i) % 16];
    };
    const auto pair = [&](std::size_t i) __attribute__((always_inline)) {
        return looked_up(b.multiplied[i], at(i) ^ at(14 - i));
    };
    const V ones = looked_up(same, s.cell[k] ^ at(6) ^ at(8));
    const V rest = (ones ^ looked_up(b.multiplied[7], at(7))) ^ (pair(5) ^ pair(4)) ^
                   (pair(3) ^ pair(2)) ^ pair(1);
    const V all = rest ^ looked_up(b.multiplied[0], newest ^ at(14));
    return s.cell[k] = split(folded(all), lower);
}

[[gnu::noinline]] void transform(Split& s, const Bases& b) {
    const V lower = lower_half();
    V newest = s.cell[15];
    for_sixteen([&]<std::size_t k>() __attribute__((always_inline)) {
        newest = step<k>(s, newest, b, lower);
        asm volatile("" : : "r"(&s) : "memory");
    });
}

[[gnu::always_inline]] inline void transpose(__m128i* v) {
    for (int stage = 0; stage < 4; ++stage) {
        __m128i next[16];
        for (int i = 0; i < 8; ++i) {
            next[2 * i] = _mm_unpacklo_epi8(v[i], v[i + 8]);
            next[2 * i + 1] = _mm_unpackhi_epi8(v[i], v[i + 8]);
        }
        for (int i = 0; i < 16; ++i) v[i] = next[i];
    }
}

template <bool backwards>
[[gnu::noinline]] void take(Split& s, Bytes in, const std::uint32_t* key) {
    __m128i w[16];
    std::memcpy(w, in, sizeof w);
    transpose(w);
    const Bases& b = backwards ? back : forth;
    const V lower = lower_half();
    for (std::size_t i = 0; i < 16; ++i) {
        const std::size_t byte = byte_of<backwards>(i);
        const V x = looked_up(b.taken, split(_mm256_broadcastsi128_si256(w[byte]), lower));
        s.cell[i] = split(folded(x) ^ repeated(key[byte]), lower);
    }
}

template <bool backwards>
[[gnu::noinline]] void give(const Split& s, Out out) {
    __m128i w[16];
    const Bases& b = backwards ? back : forth;
    for (std::size_t i = 0; i < 16; ++i)
        w[byte_of<backwards>(i)] = _mm256_castsi256_si128(folded(looked_up(b.given, s.cell[i])));
    transpose(w);
    std::memcpy(out, w, sizeof w);
}

// Two cells' halves side by side are what the S-box takes.
template <bool backwards>
[[gnu::noinline]] void substitute(Split& s, const std::uint32_t* key) {
    const V lower = lower_half();
    for (std::size_t i = 0; i < 16; i += 2) {
        const Halves x = {_mm256_permute2x128_si256(s.cell[i], s.cell[i + 1], 0x20),
                          _mm256_permute2x128_si256(s.cell[i], s.cell[i + 1], 0x31)};
        const V y = backwards ? substituted_back(x) : substituted(x);
        s.cell[i] =
            split(_mm256_permute4x64_epi64(y, 0x44) ^ repeated(key[byte_of<backwards>(i)]), lower);
        s.cell[i + 1] = split(
            _mm256_permute4x64_epi64(y, 0xEE) ^ repeated(key[byte_of<backwards>(i + 1)]), lower);
    }
}

void encrypt_sixteen(const Keys& keys, Split& s, Bytes in, Out out) {
    take<false>(s, in, keys.forward[0]);
    for (int round = 1; round < 10; ++round) {
        substitute<false>(s, keys.forward[round]);
        transform(s, forth);
    }
    give<false>(s, out);
}

void decrypt_sixteen(const Keys& keys, Split& s, Bytes in, Out out) {
    take<true>(s, in, keys.back[9]);
    for (int round = 9; round-- > 0;) {
        transform(s, back);
        substitute<true>(s, keys.back[round]);
    }
    give<true>(s, out);
}

}  // namespace
STEND_FOR_ANY

}  // namespace stend::gost::kuznyechik::avx2_only
#endif
