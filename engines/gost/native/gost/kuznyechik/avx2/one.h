// One block in the least time by AVX2 alone, and chains of blocks.
//
// The block stands in both halves of a vector. pi is looked up in sixteenths, two at a time: the
// index is pushed out of range in all but one. L is a sum of 128 masked constants, one for each bit
// of the block, of which each half makes 64. These 128 instructions take 43 of a round's cycles.
#pragma once
#if defined(__x86_64__)
#include "gost/engine.h"
#include "gost/kuznyechik/avx2/keys.h"
#include "gost/kuznyechik/bitslice/keys.h"
#include "gost/x86/intrinsics.h"
#include "isa/target.h"

namespace stend::gost::kuznyechik::avx2_only {

// A table of 256 bytes as sixteen of 16, of which a vector holds two.
struct Sixteenths {
    alignas(32) std::uint8_t at[8][32];
};
constexpr Sixteenths in_sixteenths(const std::array<std::uint8_t, 256>& table) {
    Sixteenths made{};
    for (unsigned x = 0; x < 256; ++x) made.at[x / 32][x % 32] = table[x];
    return made;
}
inline constexpr Sixteenths pi_whole = in_sixteenths(pi),
                            pi_inverse_whole = in_sixteenths(pi_inverse);

// L's terms of turns d and d + 8 side by side.
struct PairedTerms {
    alignas(32) std::uint8_t at[8][8][32];
};
constexpr PairedTerms paired_terms() {
    PairedTerms made{};
    for (std::size_t d = 0; d < 8; ++d)
        for (std::size_t b = 0; b < 8; ++b)
            for (std::size_t j = 0; j < 32; ++j)
                made.at[d][b][j] = bitslice::terms.at[d + j / 16 * 8][b][j % 16];
    return made;
}
inline constexpr PairedTerms paired = paired_terms();

STEND_FOR("avx2")
namespace {

[[gnu::always_inline]] inline __m256i operand(const std::uint8_t (&bytes)[32]) {
    return _mm256_load_si256(reinterpret_cast<const __m256i*>(bytes));
}
[[gnu::always_inline]] inline __m256i twice(const std::uint8_t* block) {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(block)));
}
[[gnu::always_inline]] inline void keep(std::uint8_t* block, __m256i x) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(block), _mm256_castsi256_si128(x));
}

// The index's upper half is nought in the right sixteenth alone; in all others the sum has its top
// bit set, and pshufb gives nought.
[[gnu::always_inline]] inline __m256i looked_up(const Sixteenths& table, __m256i x) {
    __m256i found[8];
    for (int i = 0; i < 8; ++i) {
        const __m256i high = _mm256_set_m128i(_mm_set1_epi8(static_cast<char>(32 * i + 16)),
                                              _mm_set1_epi8(static_cast<char>(32 * i)));
        const __m256i index = _mm256_adds_epu8(x ^ high, _mm256_set1_epi8(0x70));
        found[i] = _mm256_shuffle_epi8(operand(table.at[i]), index);
    }
    const __m256i sum = ((found[0] ^ found[1]) ^ (found[2] ^ found[3])) ^
                        ((found[4] ^ found[5]) ^ (found[6] ^ found[7]));
    return sum ^ _mm256_permute4x64_epi64(sum, 0x4E);
}

// Byte i of each half moves to place i + by.
template <int by>
[[gnu::always_inline]] inline __m256i turned(__m256i x) {
    return by == 0 ? x : _mm256_alignr_epi8(x, x, (16 - by) & 15);
}

template <int d>
[[gnu::always_inline]] inline __m256i group(const __m256i* masks) {
    __m256i sum = masks[0] & operand(paired.at[d][0]);
    for (int b = 1; b < 8; ++b) sum ^= masks[b] & operand(paired.at[d][b]);
    return turned<d>(sum);
}

// L, and a key added.
[[gnu::always_inline]] inline __m256i transformed(__m256i x, __m256i key) {
    __m256i masks[8];
    for (int bit = 0; bit < 8; ++bit)
        masks[bit] = _mm256_cmpgt_epi8(_mm256_setzero_si256(), _mm256_slli_epi16(x, 7 - bit));
    const __m256i sum =
        ((group<0>(masks) ^ group<1>(masks)) ^ (group<2>(masks) ^ group<3>(masks))) ^
        ((group<4>(masks) ^ group<5>(masks)) ^ (group<6>(masks) ^ group<7>(masks)));
    // The upper half's sums are eight bytes further on.
    return (_mm256_permute4x64_epi64(sum, 0x44) ^ key) ^ _mm256_permute4x64_epi64(sum, 0xBB);
}

[[gnu::always_inline]] inline __m256i round(__m256i x, __m256i key) {
    return transformed(looked_up(pi_whole, x), key);
}

[[gnu::noinline]] void encrypt_one(const Keys& keys, Bytes in, Out out) {
    __m256i x = twice(in) ^ twice(keys.line[0].data());
    for (int i = 1; i < 10; ++i) x = round(x, twice(keys.line[i].data()));
    keep(out, x);
}

[[gnu::always_inline]] inline __m256i reversed(__m256i x) {
    return _mm256_shuffle_epi8(x, _mm256_broadcastsi128_si256(_mm_set_epi8(
                                      0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)));
}

// L's inverse is L on reversed bytes.
[[gnu::noinline]] void decrypt_one(const Keys& keys, Bytes in, Out out) {
    __m256i x = reversed(twice(in) ^ twice(keys.line[9].data()));
    for (int i = 8; i >= 0; --i)
        x = looked_up(pi_inverse_whole, transformed(x, _mm256_setzero_si256())) ^
            reversed(twice(keys.line[i].data()));
    keep(out, reversed(x));
}

// A chain's state stays in a register: with s the state of the standard, x is s + after: the next
// block's first key and what is fed into it, which go in with the last layer's key.
class Chain {
public:
    Chain(Feed feed, const Keys& keys, const Lane& lane) : feed_(feed), keys_(keys), lane_(lane) {}

    void run(std::size_t blocks) const {
        __m256i after = coming(0, blocks), x = twice(lane_.state) ^ after;
        for (std::size_t block = 0; block < blocks; ++block) {
            after = coming(block + 1, blocks);
            __m256i last = key(9) ^ after;
            if (feed_ == Feed::cfb) last ^= input(block);
            for (int i = 1; i < 10; ++i) x = round(x, i == 9 ? last : key(i));
            if (feed_ != Feed::mac) put(x ^ after, block);
        }
        keep(lane_.state, x ^ after);
    }

private:
    [[gnu::always_inline]] __m256i key(int round) const { return twice(keys_.line[round].data()); }
    [[gnu::always_inline]] __m256i input(std::size_t block) const {
        return twice(lane_.in + block * lane_.stride);
    }
    [[gnu::always_inline]] __m256i coming(std::size_t block, std::size_t blocks) const {
        const bool fed = (feed_ == Feed::mac || feed_ == Feed::cbc) && block < blocks;
        return fed ? key(0) ^ input(block) : key(0);
    }
    [[gnu::always_inline]] void put(__m256i state, std::size_t block) const {
        keep(lane_.out + block * lane_.stride, feed_ == Feed::ofb ? state ^ input(block) : state);
    }

    Feed feed_;
    const Keys& keys_;
    const Lane& lane_;
};

[[gnu::noinline]] void chain_one(Feed feed, const Keys& keys, const Lane& lane,
                                 std::size_t blocks) {
    Chain(feed, keys, lane).run(blocks);
}

}  // namespace
STEND_FOR_ANY

}  // namespace stend::gost::kuznyechik::avx2_only
#endif
