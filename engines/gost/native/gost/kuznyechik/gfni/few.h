// One block in the least time, and two to eight together, by AVX2 and GFNI.
//
// Blocks lie whole in halves of vectors, in the basis in which gf2p8mulb multiplies by L's
// coefficients. L is sixteen products with a vector of coefficients: of the block turned by 0 to 3
// bytes, in four sums, which are turned by 0 to 3 words and added. A block alone stands in both
// halves of a vector, each of which makes half of the products.
#pragma once
#if defined(__x86_64__)
#include "gost/kuznyechik/gfni/keys.h"
#include "gost/x86/secret.h"

namespace stend::gost::kuznyechik::gfni {

// at[4 t + q][p] and at[4 t + q][16 + p]: the coefficients of both halves.
struct Coefficients {
    alignas(32) std::uint8_t at[16][32];
};

constexpr std::uint8_t of_l(const std::array<Line, 16>& column, bool back, std::size_t row,
                            std::size_t place) {
    row %= 16, place %= 16;
    return own.from[back ? column[15 - place][15 - row] : column[place][row]];
}

constexpr Coefficients for_pairs(bool back) {
    const auto column = columns();
    Coefficients made{};
    for (std::size_t i = 0; i < 16; ++i)
        for (std::size_t p = 0; p < 32; ++p)
            made.at[i][p] = of_l(column, back, p + 16 - i / 4 * 4, p + i % 4);
    return made;
}

constexpr Coefficients for_one(bool back) {
    const auto column = columns();
    Coefficients made{};
    for (std::size_t i = 0; i < 8; ++i)
        for (std::size_t p = 0; p < 32; ++p)
            made.at[i][p] = of_l(column, back, p + 16 - i / 4 * 4, p + i % 4 + p / 16 * 8);
    return made;
}

struct Turns {
    alignas(32) std::uint8_t at[4][32];
};
// Byte p comes from p + q; in the upper half, for one block, from p + q + 8.
constexpr Turns turns(std::size_t upper) {
    Turns made{};
    for (std::size_t q = 0; q < 4; ++q)
        for (std::size_t p = 0; p < 32; ++p)
            made.at[q][p] = static_cast<std::uint8_t>((p + q + p / 16 * upper) % 16);
    return made;
}

inline constexpr Coefficients pairs_forward = for_pairs(false), pairs_back = for_pairs(true);
inline constexpr Coefficients one_forward = for_one(false), one_back = for_one(true);
inline constexpr Turns turns_of_pairs = turns(0), turns_of_one = turns(8);

STEND_FOR("avx2,gfni")
namespace {

using V = __m256i;

[[gnu::always_inline]] inline V operand(const std::uint8_t* bytes) {
    return _mm256_load_si256(reinterpret_cast<const V*>(bytes));
}
[[gnu::always_inline]] inline V both(const std::uint8_t* bytes) {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes)));
}
[[gnu::always_inline]] inline V both(const Table& table) {
    return both(table.data());
}
[[gnu::always_inline]] inline V all(std::uint64_t x) {
    return _mm256_set1_epi64x(static_cast<long long>(x));
}
[[gnu::always_inline]] inline V nonzero(V x) {
    return _mm256_cmpgt_epi8(x, _mm256_setzero_si256());
}

constexpr std::uint64_t trace_of_own =
    matrix([](std::uint8_t x) { return to_trace(state.from[own.to[x]]); });
constexpr std::uint64_t class_of_inverse = matrix(to_class);

inline constexpr PiByLogarithms logarithms_of_own =
    pi_by_logarithms([](std::uint8_t x) { return own.from[x]; });
constexpr std::uint64_t l_of_own =
    matrix([](std::uint8_t y) -> std::uint8_t { return tower.from[own.to[y]] & 15; });
constexpr std::uint64_t h_of_own =
    matrix([](std::uint8_t y) -> std::uint8_t { return tower.from[own.to[y]] >> 4; });

[[gnu::always_inline]] inline V looked_up(const Table& table, V index) {
    return _mm256_shuffle_epi8(both(table), index);
}

// pi on bytes in the basis `own` with the least to wait for: every product of field elements, and
// what leaves the unit of GFNI, takes three cycles, a look-up and a sum of logarithms one each.
[[gnu::always_inline]] inline V substitute_soon(V y) {
    const PiByLogarithms& t = logarithms_of_own;
    const V l = affine<0>(y, all(l_of_own)), h = affine<0>(y, all(h_of_own));
    const V log_h = looked_up(t.log_h, h), log_h_15 = looked_up(t.log_h_15, h);
    const V d = _mm256_min_epu8(_mm256_sub_epi8(looked_up(t.log_l, l), log_h),
                                _mm256_sub_epi8(looked_up(t.log_l_15, l), log_h));
    const V mu = looked_up(t.mu, d);
    const V e = _mm256_min_epu8(_mm256_add_epi8(log_h, mu), _mm256_add_epi8(log_h_15, mu));
    const V small = looked_up(t.small, (log_h ^ _mm256_set1_epi8(-0x80)) | l);
    return (looked_up(t.kappa, d) ^ small) ^ looked_up(t.of_lambda, e);
}

// pi and its inverse on bytes in the basis `own`, with the fewest instructions.
[[gnu::always_inline]] inline V substitute_own(V y) {
    const V r = affine<0>(y, all(trace_of_own)), x = affine<0>(y, all(between(own, state)));
    const V c = _mm256_gf2p8mul_epi8(x, affine_inverse<0>(r, all(class_of_inverse)));
    const V l = _mm256_gf2p8mul_epi8(r, _mm256_shuffle_epi8(both(in_own.classes), c));
    const V small = _mm256_shuffle_epi8(both(in_own.of_small), x | nonzero(r));
    return _mm256_shuffle_epi8(both(in_own.of_class), c) ^ small ^
           _mm256_shuffle_epi8(both(in_own.of_lambda), l);
}

[[gnu::always_inline]] inline V substitute_own_back(V y) {
    const V index = affine<from_own.index_constant>(y, all(from_own.to_index));
    const V lambda = affine<from_own.lambda_constant>(y, all(from_own.to_lambda));
    const V small = _mm256_shuffle_epi8(both(from_own.of_small), index | nonzero(lambda));
    const V x = _mm256_gf2p8mul_epi8(_mm256_shuffle_epi8(both(from_own.factor), index),
                                     _mm256_shuffle_epi8(both(from_own.lambda), lambda));
    return affine<0>(x ^ small, all(between(state, own)));
}

// Two groups of four products of turned blocks, the second turned by a word.
[[gnu::always_inline]] inline V eight_products(const V* turned, const std::uint8_t (*k)[32]) {
    V sum[2];
    for (int t = 1; t >= 0; --t) {
        const V a = _mm256_gf2p8mul_epi8(turned[0], operand(k[4 * t])),
                b = _mm256_gf2p8mul_epi8(turned[1], operand(k[4 * t + 1])),
                c = _mm256_gf2p8mul_epi8(turned[2], operand(k[4 * t + 2])),
                d = _mm256_gf2p8mul_epi8(turned[3], operand(k[4 * t + 3]));
        sum[t] = (a ^ b) ^ (c ^ d);
    }
    return sum[0] ^ _mm256_shuffle_epi32(sum[1], 0x39);
}

// L, and a key added.
[[gnu::always_inline]] inline V transformed_one(V s, const Coefficients& k, V key) {
    V turned[4];
    for (int q = 0; q < 4; ++q) turned[q] = _mm256_shuffle_epi8(s, operand(turns_of_one.at[q]));
    const V sum = eight_products(turned, k.at);
    return (sum ^ key) ^ _mm256_permute4x64_epi64(sum, 0x4E);
}

[[gnu::always_inline]] inline V transformed_pair(V s, const Coefficients& k) {
    V turned[4] = {s};
    for (int q = 1; q < 4; ++q) turned[q] = _mm256_shuffle_epi8(s, operand(turns_of_pairs.at[q]));
    return eight_products(turned, k.at) ^
           _mm256_shuffle_epi32(eight_products(turned, k.at + 8), 0x4E);
}

[[gnu::always_inline]] inline V key_of(const Keys& keys, int round) {
    return both(keys.line[round].data());
}

[[gnu::always_inline]] inline void encrypt_one(const Keys& keys, Bytes in, Out out) {
    V y = affine<0>(both(in), all(between(plain, own))) ^ key_of(keys, 0);
    for (int i = 1; i < 10; ++i)
        y = transformed_one(substitute_soon(y), one_forward, key_of(keys, i));
    y = affine<0>(y, all(between(own, plain)));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm256_castsi256_si128(y));
}

[[gnu::always_inline]] inline void decrypt_one(const Keys& keys, Bytes in, Out out) {
    V y = affine<0>(both(in), all(between(plain, own))) ^ key_of(keys, 9);
    for (int i = 8; i >= 0; --i)
        y = substitute_own_back(transformed_one(y, one_back, _mm256_setzero_si256())) ^
            key_of(keys, i);
    y = affine<0>(y, all(between(own, plain)));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm256_castsi256_si128(y));
}

// `vectors` pairs of blocks.
template <int vectors>
[[gnu::always_inline]] inline void load_pairs(V* y, const Keys& keys, int round, Bytes in) {
    for (int i = 0; i < vectors; ++i)
        y[i] = affine<0>(_mm256_loadu_si256(reinterpret_cast<const V*>(in) + i),
                         all(between(plain, own))) ^
               key_of(keys, round);
}

template <int vectors>
[[gnu::always_inline]] inline void store_pairs(const V* y, Out out) {
    for (int i = 0; i < vectors; ++i)
        _mm256_storeu_si256(reinterpret_cast<V*>(out) + i,
                            affine<0>(y[i], all(between(own, plain))));
}

template <int vectors>
[[gnu::noinline]] void encrypt_pairs(const Keys& keys, Bytes in, Out out) {
    V y[vectors];
    load_pairs<vectors>(y, keys, 0, in);
    for (int round = 1; round < 10; ++round)
        for (V& each : y)
            each = transformed_pair(substitute_own(each), pairs_forward) ^ key_of(keys, round);
    store_pairs<vectors>(y, out);
}

template <int vectors>
[[gnu::noinline]] void decrypt_pairs(const Keys& keys, Bytes in, Out out) {
    V y[vectors];
    load_pairs<vectors>(y, keys, 9, in);
    for (int round = 8; round >= 0; --round)
        for (V& each : y)
            each = substitute_own_back(transformed_pair(each, pairs_back)) ^ key_of(keys, round);
    store_pairs<vectors>(y, out);
}

}  // namespace
STEND_FOR_ANY

}  // namespace stend::gost::kuznyechik::gfni
#endif
