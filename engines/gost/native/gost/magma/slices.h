// Magma and GOST 28147-89 with AVX2, 32 blocks at once and in constant time, a vector for each byte
// of the block: for messages of some hundred bytes, and for any set of substitutions. To be
// included between STEND_FOR("avx2") and STEND_FOR_ANY.
//
// A byte shuffle is a table of sixteen bytes, and here all bytes of a vector want the same one. The
// rotation by 11 is one by 8, which is a matter of names, and one by 3, which the tables do: the
// lower nibble's result stays within the byte, the upper one's goes into two bytes and so has two
// tables. The addition of the key carries from vector to vector. Some 55 operations on 32 blocks,
// of which three a cycle at best: 2.3 cycles a byte.
#pragma once

#include "gost/magma/words.h"
#include "gost/sboxes.h"
#include "gost/wipe.h"
#include "gost/x86/intrinsics.h"

namespace stend::gost::magma {

// For byte j: its lower nibble's substitution rotated by 3; its upper nibble's, what of that stays
// in this byte; and what goes into the next.
struct SliceTables {
    alignas(16) std::uint8_t lower[4][16], upper[4][16], next[4][16];
};

constexpr SliceTables slice_tables(const Substitutions& set) {
    SliceTables tables{};
    for (unsigned byte = 0; byte < 4; ++byte)
        for (unsigned x = 0; x < 16; ++x) {
            tables.lower[byte][x] = static_cast<std::uint8_t>(set[2 * byte][x] << 3);
            tables.upper[byte][x] = static_cast<std::uint8_t>(set[2 * byte + 1][x] << 7);
            tables.next[byte][x] = static_cast<std::uint8_t>(set[2 * byte + 1][x] >> 1);
        }
    return tables;
}

// Lanes is a tag of the variant's own. Byte j of a half is vector j, the lowest first.
template <typename Lanes>
struct Slices {
    __m256i a1[4], a0[4];
};

// The key's words as vectors of their bytes.
template <typename Lanes>
struct SlicedKey {
    __m256i word[8][4];

    explicit SlicedKey(const KeyWords& words) {
        for (unsigned i = 0; i < 8; ++i)
            for (unsigned byte = 0; byte < 4; ++byte)
                word[i][byte] = _mm256_set1_epi8(static_cast<char>(words[i] >> 8 * byte));
    }
    SlicedKey(const SlicedKey&) = delete;
    SlicedKey& operator=(const SlicedKey&) = delete;
    ~SlicedKey() { wipe(word, sizeof word); }
};

// sum = a + key. A byte's own carry shows in a sum that is less than the key; one that comes in
// goes on where the sum without it is 255.
[[gnu::always_inline]] inline void add_key(const __m256i (&a)[4], const __m256i (&key)[4],
                                           __m256i (&sum)[4]) {
    const __m256i ones = _mm256_set1_epi8(-1);
    sum[0] = _mm256_add_epi8(a[0], key[0]);
    __m256i none = _mm256_cmpeq_epi8(_mm256_max_epu8(sum[0], key[0]), sum[0]);  // no carry: -1
    for (unsigned byte = 1; byte < 4; ++byte) {
        const __m256i alone = _mm256_add_epi8(a[byte], key[byte]);
        sum[byte] = _mm256_sub_epi8(_mm256_add_epi8(alone, none), ones);
        if (byte == 3) return;
        const __m256i no_own = _mm256_cmpeq_epi8(_mm256_max_epu8(alone, key[byte]), alone);
        const __m256i passed = _mm256_andnot_si256(none, _mm256_cmpeq_epi8(alone, ones));
        none = _mm256_andnot_si256(passed, no_own);
    }
}

[[gnu::always_inline]] inline __m256i in_table(const std::uint8_t (&table)[16], __m256i nibbles) {
    return _mm256_shuffle_epi8(
        _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(table))),
        nibbles);
}

// other ^= the round function of half.
[[gnu::always_inline]] inline void round(const __m256i (&half)[4], __m256i (&other)[4],
                                         const __m256i (&key)[4], const SliceTables& tables) {
    const __m256i nibble = _mm256_set1_epi8(15);
    __m256i sum[4];
    add_key(half, key, sum);
#pragma GCC unroll 4
    for (unsigned byte = 0; byte < 4; ++byte) {
        __m256i &at = other[(byte + 1) & 3], &next = other[(byte + 2) & 3];
        const __m256i lower = _mm256_and_si256(sum[byte], nibble);
        const __m256i upper = _mm256_and_si256(_mm256_srli_epi16(sum[byte], 4), nibble);
        at = _mm256_xor_si256(at, _mm256_xor_si256(in_table(tables.lower[byte], lower),
                                                   in_table(tables.upper[byte], upper)));
        next = _mm256_xor_si256(next, in_table(tables.next[byte], upper));
    }
}

template <typename Way, typename Lanes>
[[gnu::always_inline]] inline void network(Slices<Lanes>& blocks, const SlicedKey<Lanes>& key,
                                           const SliceTables& tables) {
#pragma GCC unroll 1
    for (unsigned i = 0; i < Way::rounds; i += 2) {
        round(blocks.a0, blocks.a1, key.word[Way::word(i)], tables);
        round(blocks.a1, blocks.a0, key.word[Way::word(i + 1)], tables);
    }
}

// The 8 x 8 words of 16 bits in each half of eight vectors, turned.
[[gnu::always_inline]] inline void turn(__m256i (&v)[8]) {
    __m256i u[8];
    for (unsigned i = 0; i < 8; i += 2) {
        u[i] = _mm256_unpacklo_epi16(v[i], v[i + 1]);
        u[i + 1] = _mm256_unpackhi_epi16(v[i], v[i + 1]);
    }
    for (unsigned i = 0; i < 8; i += 4)
        for (unsigned j = 0; j < 2; ++j) {
            v[i + 2 * j] = _mm256_unpacklo_epi32(u[i + j], u[i + j + 2]);
            v[i + 2 * j + 1] = _mm256_unpackhi_epi32(u[i + j], u[i + j + 2]);
        }
    for (unsigned i = 0; i < 4; ++i) {
        u[2 * i] = _mm256_unpacklo_epi64(v[i], v[i + 4]);
        u[2 * i + 1] = _mm256_unpackhi_epi64(v[i], v[i + 4]);
    }
    for (unsigned i = 0; i < 8; ++i) v[i] = u[i];
}

// Where byte number `byte` of the number a1·2^32 + a0 stands in a block.
template <typename Order>
constexpr unsigned place_of(unsigned byte) {
    return std::is_same_v<Order, BigEndian> ? 7 - byte : byte;
}

template <typename Order, typename Lanes>
[[gnu::always_inline]] inline Slices<Lanes> sliced(Bytes in) {
    const __m256i pairs = _mm256_broadcastsi128_si256(
        _mm_set_epi8(15, 7, 14, 6, 13, 5, 12, 4, 11, 3, 10, 2, 9, 1, 8, 0));
    __m256i v[8];
    for (unsigned i = 0; i < 8; ++i)
        v[i] = _mm256_shuffle_epi8(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(in) + i),
                                   pairs);
    turn(v);
    Slices<Lanes> blocks;
    for (unsigned i = 0; i < 4; ++i) {
        blocks.a0[i] = v[place_of<Order>(i)];
        blocks.a1[i] = v[place_of<Order>(i + 4)];
    }
    return blocks;
}

template <typename Order, typename Way, typename Lanes>
[[gnu::always_inline]] inline void unsliced(const Slices<Lanes>& blocks, Out out) {
    const __m256i pairs = _mm256_broadcastsi128_si256(
        _mm_set_epi8(15, 13, 11, 9, 7, 5, 3, 1, 14, 12, 10, 8, 6, 4, 2, 0));
    constexpr bool changed = Way::rounds == 32;  // see nibbles.h
    __m256i v[8];
    for (unsigned i = 0; i < 4; ++i) {
        v[place_of<Order>(i)] = changed ? blocks.a1[i] : blocks.a0[i];
        v[place_of<Order>(i + 4)] = changed ? blocks.a0[i] : blocks.a1[i];
    }
    turn(v);
    for (unsigned i = 0; i < 8; ++i)
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out) + i, _mm256_shuffle_epi8(v[i], pairs));
}

// Whole groups of 32 blocks.
template <typename Order, typename Way, typename Lanes>
[[gnu::noinline]] void blocks_by_slices(Bytes in, Out out, std::size_t groups,
                                        const KeyWords& words, const SliceTables& tables) {
    const SlicedKey<Lanes> key(words);
    for (; groups > 0; --groups, in += 256, out += 256) {
        Slices<Lanes> blocks = sliced<Order, Lanes>(in);
        network<Way>(blocks, key, tables);
        unsliced<Order, Way>(blocks, out);
    }
}

}  // namespace stend::gost::magma
