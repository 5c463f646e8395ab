// Thirty-two blocks at once by AVX2 and GFNI, one vector for each of the sixteen bytes.
//
// The vectors are the cells of the register R: a step of L is written over the cell that falls out,
// so that nothing moves. Per byte and round an encryption takes 12 instructions for the S-box (the
// key is in one of its tables) and 22 for the step, on three ports: 3.2 cycles/byte, and 0.25 more
// for the transposition.
#pragma once
#if defined(__x86_64__)
#include <cstring>
#include <utility>

#include "gost/kuznyechik/gfni/few.h"

namespace stend::gost::kuznyechik::gfni {

STEND_FOR("avx2,gfni")
namespace {

constexpr std::size_t many = 32;  // blocks

// The work for each i of 0 to 15, unrolled.
template <typename Work>
[[gnu::always_inline]] inline void for_sixteen(Work work) {
    [&]<std::size_t... i>(std::index_sequence<i...>) __attribute__((always_inline)) {
        (work.template operator()<i>(), ...);
    }
    (std::make_index_sequence<16>());
}

[[gnu::always_inline]] inline void transpose(V* v) {
    for (int stage = 0; stage < 4; ++stage) {
        V next[16];
        for (int i = 0; i < 8; ++i) {
            next[2 * i] = _mm256_unpacklo_epi8(v[i], v[i + 8]);
            next[2 * i + 1] = _mm256_unpackhi_epi8(v[i], v[i + 8]);
        }
        for (int i = 0; i < 16; ++i) v[i] = next[i];
    }
}

// Multiplication by the coefficients of l, the first of each equal pair.
struct Multipliers {
    std::uint64_t by[8];
};
constexpr Multipliers multipliers() {
    Multipliers made{};
    for (std::size_t i = 0; i < 8; ++i)
        made.by[i] = matrix(
            [&](std::uint8_t x) { return state.from[product(state.to[x], linear[i], own_field)]; });
    return made;
}
constexpr Multipliers multiplier = multipliers();

template <std::size_t coefficient>
[[gnu::always_inline]] inline V multiplied(V x) {
    return affine<0>(x, all(multiplier.by[coefficient]));
}

// Cell k falls out of the register and the new byte takes its place. The newest one before it,
// cell k - 1, comes last: the next step waits for it.
template <std::size_t k>
[[gnu::always_inline]] inline void step(V* v) {
    const auto cell = [&](std::size_t i) __attribute__((always_inline)) {
        return v[(k + 15 - i) % 16];
    };
    const V ones = v[k] ^ cell(6) ^ cell(8);
    const V a = multiplied<5>(cell(5) ^ cell(9)) ^ multiplied<4>(cell(4) ^ cell(10));
    const V b = multiplied<3>(cell(3) ^ cell(11)) ^ multiplied<2>(cell(2) ^ cell(12));
    const V c = multiplied<7>(cell(7)) ^ multiplied<1>(cell(1) ^ cell(13));
    v[k] = ((ones ^ a) ^ (b ^ c)) ^ multiplied<0>(cell(0) ^ cell(14));
}

[[gnu::always_inline]] inline void transform(V* v) {
    for_sixteen([&]<std::size_t k>() __attribute__((always_inline)) { step<k>(v); });
}

constexpr std::uint64_t trace_of_state = matrix(to_trace);

[[gnu::always_inline]] inline V substituted(V x, const std::uint8_t* of_class) {
    const V r = affine<0>(x, all(trace_of_state));
    const V c = _mm256_gf2p8mul_epi8(x, affine_inverse<0>(r, all(class_of_inverse)));
    const V l = _mm256_gf2p8mul_epi8(r, _mm256_shuffle_epi8(both(in_state.classes), c));
    const V small = _mm256_shuffle_epi8(both(in_state.of_small), x | nonzero(r));
    return _mm256_shuffle_epi8(both(of_class), c) ^ small ^
           _mm256_shuffle_epi8(both(in_state.of_lambda), l);
}

[[gnu::always_inline]] inline V substituted_back(V y) {
    const V index = affine<from_state.index_constant>(y, all(from_state.to_index));
    const V lambda = affine<from_state.lambda_constant>(y, all(from_state.to_lambda));
    const V small = _mm256_shuffle_epi8(both(from_state.of_small), index | nonzero(lambda));
    return small ^ _mm256_gf2p8mul_epi8(_mm256_shuffle_epi8(both(from_state.factor), index),
                                        _mm256_shuffle_epi8(both(from_state.lambda), lambda));
}

[[gnu::always_inline]] inline V repeated(std::uint32_t bytes) {
    return _mm256_set1_epi32(static_cast<int>(bytes));
}

// Cell i is byte 15 - i when encrypting and byte i when decrypting: R's inverse is R on reversed
// bytes.
template <bool back>
constexpr std::size_t byte_of(std::size_t cell) {
    return back ? cell : 15 - cell;
}

template <bool back>
[[gnu::always_inline]] inline void load(V* v, Bytes in, const std::uint32_t* key) {
    V w[16];
    std::memcpy(w, in, sizeof w);
    transpose(w);
    for_sixteen([&]<std::size_t i>() __attribute__((always_inline)) {
        v[i] = affine<0>(w[byte_of<back>(i)], all(between(plain, state))) ^
               repeated(key[byte_of<back>(i)]);
    });
}

template <bool back>
[[gnu::always_inline]] inline void store(const V* v, Out out) {
    V w[16];
    for_sixteen([&]<std::size_t i>() __attribute__((always_inline)) {
        w[byte_of<back>(i)] = affine<0>(v[i], all(between(state, plain)));
    });
    transpose(w);
    std::memcpy(out, w, sizeof w);
}

// Rounds `first` to 9.
[[gnu::always_inline]] inline void encrypt_rounds(V* v, const Keys& keys, std::size_t first) {
    for (std::size_t round = first; round < 10; ++round) {
        const auto& of_class = keys.of_class[round - 1];
        for_sixteen([&]<std::size_t i>() __attribute__((always_inline)) {
            v[i] = substituted(v[i], of_class[15 - i]);
        });
        transform(v);
    }
}

[[gnu::noinline]] void encrypt_many(const Keys& keys, Bytes in, Out out, std::size_t batches) {
    for (; batches > 0; --batches, in += 16 * many, out += 16 * many) {
        V v[16];
        load<false>(v, in, keys.repeated[0]);
        encrypt_rounds(v, keys, 1);
        store<false>(v, out);
    }
}

[[gnu::noinline]] void decrypt_many(const Keys& keys, Bytes in, Out out, std::size_t batches) {
    for (; batches > 0; --batches, in += 16 * many, out += 16 * many) {
        V v[16];
        load<true>(v, in, keys.repeated[9]);
        for (std::size_t round = 9; round-- > 0;) {
            transform(v);
            for_sixteen([&]<std::size_t i>() __attribute__((always_inline)) {
                v[i] = substituted_back(v[i]) ^ repeated(keys.repeated[round][i]);
            });
        }
        store<true>(v, out);
    }
}

}  // namespace
STEND_FOR_ANY

}  // namespace stend::gost::kuznyechik::gfni
#endif
