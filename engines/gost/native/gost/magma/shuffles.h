// Magma and GOST 28147-89 with AVX2, eight blocks to a vector and in constant time: a byte shuffle
// is a table of sixteen bytes, so eight of them are the eight substitutions. For few blocks and for
// chains, and for any set. To be included between STEND_FOR("avx2") and STEND_FOR_ANY.
//
// Shuffle number i gives the substitution of nibble i in all bytes; only that of the byte that
// holds nibble i is wanted, and blends pick it. The halves are held rotated back by 11, so that
// what a round adds is the substitution as it stands; the rotation then meets the addition of the
// key: (z << 11) + ((z >> 21) + k). Ten operations follow on each other in a round, 27 are done.
#pragma once

#include "gost/magma/words.h"
#include "gost/sboxes.h"
#include "gost/wipe.h"
#include "gost/x86/intrinsics.h"

namespace stend::gost::magma {

// The substitutions as tables of bytes, those of odd nibbles in the high half of the byte.
struct Shuffles {
    alignas(16) std::uint8_t table[8][16];
};

constexpr Shuffles shuffles(const Substitutions& set) {
    Shuffles tables{};
    for (unsigned i = 0; i < 8; ++i)
        for (unsigned x = 0; x < 16; ++x)
            tables.table[i][x] = static_cast<std::uint8_t>(set[i][x] << 4 * (i % 2));
    return tables;
}

// Eight blocks, Lanes a tag of the variant's own. High and low halves, rotated back by 11.
template <typename Lanes>
struct Eight {
    __m256i a1, a0;
};

// The words of the eight blocks' keys.
template <typename Lanes>
struct KeysOfEight {
    __m256i word[8];
};

template <typename Lanes>
class Substituting {
public:
    [[gnu::always_inline]] explicit Substituting(const Shuffles& tables) {
        for (unsigned i = 0; i < 8; ++i)
            table_[i] = _mm256_broadcastsi128_si256(
                _mm_load_si128(reinterpret_cast<const __m128i*>(tables.table[i])));
    }

    // z ^ the substitutions of a.
    [[gnu::always_inline]] __m256i add(__m256i z, __m256i a) const {
        const __m256i nibble = _mm256_set1_epi8(15), even = _mm256_set1_epi16(255);
        const __m256i low = _mm256_and_si256(a, nibble);
        const __m256i high = _mm256_and_si256(_mm256_srli_epi32(a, 4), nibble);
        const __m256i bytes_02 =
            _mm256_xor_si256(_mm256_xor_si256(z, of_bytes<0>(low)), of_bytes<1>(high));
        const __m256i bytes_13 =
            _mm256_xor_si256(_mm256_xor_si256(z, of_bytes<2>(low)), of_bytes<3>(high));
        return _mm256_or_si256(_mm256_and_si256(even, bytes_02),
                               _mm256_andnot_si256(even, bytes_13));
    }

private:
    __m256i table_[8];

    // Substitution number i of the lower 16 bits' byte, number i + 4 of the higher ones'.
    template <unsigned i>
    [[gnu::always_inline]] __m256i of_bytes(__m256i nibbles) const {
        return _mm256_blend_epi16(_mm256_shuffle_epi8(table_[i], nibbles),
                                  _mm256_shuffle_epi8(table_[i + 4], nibbles), 0xAA);
    }
};

[[gnu::always_inline]] inline __m256i rotated_back(__m256i x) {
    return _mm256_or_si256(_mm256_srli_epi32(x, 11), _mm256_slli_epi32(x, 21));
}

[[gnu::always_inline]] inline __m256i rotated(__m256i x) {
    return _mm256_or_si256(_mm256_slli_epi32(x, 11), _mm256_srli_epi32(x, 21));
}

// z rotated by 11, + key.
[[gnu::always_inline]] inline __m256i keyed(__m256i z, __m256i key) {
    return _mm256_add_epi32(_mm256_slli_epi32(z, 11),
                            _mm256_add_epi32(_mm256_srli_epi32(z, 21), key));
}

// The rounds of Way. The words of the key are taken in turn, forwards or backwards, eight rounds
// long.
template <typename Way, typename Lanes>
[[gnu::always_inline]] inline void network(Eight<Lanes>& blocks, const __m256i (&key)[8],
                                           const Substituting<Lanes>& substituting) {
#pragma GCC unroll 1
    for (unsigned done = 0; done < Way::rounds; done += 8) {
        const __m256i* word = key + Way::word(done);
        const std::ptrdiff_t step = Way::word(done) == 0 ? 1 : -1;
#pragma GCC unroll 4
        for (unsigned i = 0; i < 8; i += 2, word += 2 * step) {
            blocks.a1 = substituting.add(blocks.a1, keyed(blocks.a0, word[0]));
            blocks.a0 = substituting.add(blocks.a0, keyed(blocks.a1, word[step]));
        }
    }
}

// The bytes of each 32-bit word in Order.
template <typename Order>
[[gnu::always_inline]] inline __m256i ordered(__m256i words) {
    if constexpr (std::is_same_v<Order, LittleEndian>) return words;
    const __m256i reversed = _mm256_broadcastsi128_si256(
        _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3));
    return _mm256_shuffle_epi8(words, reversed);
}

// After all 32 rounds the halves change places once more; see nibbles.h.
template <typename Way, typename Lanes>
[[gnu::always_inline]] inline Eight<Lanes> ended(const Eight<Lanes>& blocks) {
    return Way::rounds == 32 ? Eight<Lanes>{blocks.a0, blocks.a1} : blocks;
}

// Eight blocks of two vectors, and back. Inside they are in an order of their own.
template <typename Order, typename Lanes>
[[gnu::always_inline]] inline Eight<Lanes> parted(__m256i x, __m256i y) {
    const __m256 a = _mm256_castsi256_ps(x), b = _mm256_castsi256_ps(y);
    const __m256i first = _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0x88));
    const __m256i second = _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0xDD));
    const Eight<Lanes> halves = {rotated_back(ordered<Order>(first)),
                                 rotated_back(ordered<Order>(second))};
    if constexpr (std::is_same_v<Order, LittleEndian>) return {halves.a0, halves.a1};
    return halves;
}

template <typename Order, typename Lanes>
[[gnu::always_inline]] inline void joined(const Eight<Lanes>& blocks, __m256i& x, __m256i& y) {
    const __m256i a1 = ordered<Order>(rotated(blocks.a1)), a0 = ordered<Order>(rotated(blocks.a0));
    const bool a1_first = std::is_same_v<Order, BigEndian>;
    const __m256i first = a1_first ? a1 : a0, second = a1_first ? a0 : a1;
    x = _mm256_unpacklo_epi32(first, second);
    y = _mm256_unpackhi_epi32(first, second);
}

// Eight blocks from and to memory.
template <typename Order, typename Lanes>
[[gnu::always_inline]] inline Eight<Lanes> loaded_eight(Bytes in) {
    const auto* const at = reinterpret_cast<const __m256i*>(in);
    return parted<Order, Lanes>(_mm256_loadu_si256(at), _mm256_loadu_si256(at + 1));
}

template <typename Order, typename Lanes>
[[gnu::always_inline]] inline void stored_eight(Out out, const Eight<Lanes>& blocks) {
    __m256i x, y;
    joined<Order>(blocks, x, y);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), x);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out) + 1, y);
}

// At most eight blocks.
template <typename Order, typename Way, typename Lanes>
[[gnu::noinline]] void blocks_by_shuffles(Bytes in, Out out, std::size_t blocks,
                                          const KeyWords& words, const Shuffles& tables) {
    const Substituting<Lanes> substituting(tables);
    Wiped<KeysOfEight<Lanes>> key;
    for (unsigned i = 0; i < 8; ++i)
        key.value.word[i] = _mm256_set1_epi32(static_cast<int>(words[i]));
    Wiped<std::uint8_t[64]> part;
    const bool whole = blocks == 8;
    if (!whole) std::memcpy(part.value, in, 8 * blocks);
    auto eight = loaded_eight<Order, Lanes>(whole ? in : part.value);
    network<Way>(eight, key.value.word, substituting);
    stored_eight<Order>(whole ? out : part.value, ended<Way>(eight));
    if (!whole) std::memcpy(out, part.value, 8 * blocks);
}

}  // namespace stend::gost::magma
