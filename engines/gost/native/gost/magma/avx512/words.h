// The rounds with byte permutes: 16 blocks in two registers, a word of each block a lane.
//
// An index of a byte permute is a nibble and its place in the word, so that one permute looks up
// four substitutions. Halves are kept rotated right by 11 bits, which leaves one rotation a round.
// A round of 16 blocks takes eight instructions, two of them permutes and two shifts: four cycles
// on two ports, 1.0 cycle a byte.
#pragma once
#if defined(__x86_64__)
#include "gost/magma/avx512/keys.h"
#include "gost/x86/intrinsics.h"
#include "gost/x86/secret.h"

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni,pclmul,vpclmulqdq")
namespace stend::gost::magma::avx512 {

// VPTERNLOG's functions.
inline constexpr int all_xor = 0x96, and_or = 0xEA;  // a ^ b ^ c, (a & b) | c

struct Boxes {
    __m512i even, odd;

    [[gnu::always_inline]] explicit Boxes(const Keys& keys)
        : even(_mm512_loadu_si512(keys.even)), odd(_mm512_loadu_si512(keys.odd)) {}
};

// Halves of 16 * n blocks, rotated right by 11.
template <int n>
struct Halves {
    __m512i right[n], left[n];
};

// left ^= g(right), as 5.2 has it but for the rotation.
[[gnu::always_inline]] inline void round(const Boxes& boxes, __m512i right, __m512i& left,
                                         __m512i key) {
    const __m512i low = _mm512_set1_epi8(0x0F), place = _mm512_set1_epi32(0x30201000);
    const __m512i sum = _mm512_add_epi32(_mm512_rol_epi32(right, 11), key);
    const __m512i even = ternary<and_or>(sum, low, place);
    const __m512i odd = ternary<and_or>(_mm512_srli_epi32(sum, 4), low, place);
    left = ternary<all_xor>(left, _mm512_permutexvar_epi8(even, boxes.even),
                            _mm512_permutexvar_epi8(odd, boxes.odd));
}

// All rounds, or the first of them; key(i, j) is the key of word i for register j. Afterwards
// `right` is what was computed last, the first word of Magma's block.
template <Way way, int n, unsigned count = 32, typename Key>
[[gnu::always_inline]] inline void rounds(const Boxes& boxes, Halves<n>& x, const Key& key) {
    for (unsigned i = 0; i < count; i += 2) {
#pragma GCC unroll 8
        for (int j = 0; j < n; ++j)
            round(boxes, x.right[j], x.left[j], key(order_of<way>.of[i], j));
#pragma GCC unroll 8
        for (int j = 0; j < n; ++j)
            round(boxes, x.left[j], x.right[j], key(order_of<way>.of[i + 1], j));
    }
}

// The bytes of each word turned round, where the order wants it.
template <Order order>
[[gnu::always_inline]] inline __m512i turned(__m512i x) {
    if constexpr (order == Order::little) return x;
    return _mm512_shuffle_epi8(x,
                               _mm512_set4_epi32(0x0C0D0E0F, 0x08090A0B, 0x04050607, 0x00010203));
}

// Blocks 0…7 and 8…15 in memory's order to halves.
template <Order order>
[[gnu::always_inline]] inline void parted(__m512i x, __m512i y, __m512i& right, __m512i& left) {
    const __m512 a = _mm512_castsi512_ps(turned<order>(x)),
                 b = _mm512_castsi512_ps(turned<order>(y));
    const __m512i first = _mm512_castps_si512(_mm512_shuffle_ps(a, b, 0x88));
    const __m512i second = _mm512_castps_si512(_mm512_shuffle_ps(a, b, 0xDD));
    right = _mm512_ror_epi32(order == Order::big ? second : first, 11);
    left = _mm512_ror_epi32(order == Order::big ? first : second, 11);
}

// Which block each lane has after parted().
[[gnu::always_inline]] inline __m512i block_numbers() {
    return _mm512_setr_epi32(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15);
}

// The halves after all rounds to blocks in memory's order.
template <Order order>
[[gnu::always_inline]] inline void joined(__m512i right, __m512i left, __m512i& x, __m512i& y) {
    right = turned<order>(_mm512_rol_epi32(right, 11));
    left = turned<order>(_mm512_rol_epi32(left, 11));
    const __m512i first = order == Order::big ? right : left;
    const __m512i second = order == Order::big ? left : right;
    x = _mm512_unpacklo_epi32(first, second);
    y = _mm512_unpackhi_epi32(first, second);
}

// The first `words` of eight as a mask; any number, none to more than eight.
inline __mmask8 first_of_eight(std::size_t words) {
    return static_cast<__mmask8>(words >= 8 ? 0xFF : (1U << words) - 1);
}

// Blocks in memory, 8 a register, of which the last 16 are there in part.
template <int n>
class Memory {
public:
    [[gnu::always_inline]] explicit Memory(std::size_t blocks)
        : next_to_last_(first_of_eight(blocks - 16 * (n - 1))),
          last_(first_of_eight(blocks < 16 * n - 8 ? 0 : blocks - (16 * n - 8))) {}

    // Which of the eight of register i are there.
    [[gnu::always_inline]] __mmask8 there(int i) const {
        return i < 2 * n - 2 ? 0xFF : i < 2 * n - 1 ? next_to_last_ : last_;
    }
    [[gnu::always_inline]] __m512i load(Bytes in, int i) const {
        return _mm512_maskz_loadu_epi64(there(i), in + 64 * i);
    }
    [[gnu::always_inline]] void store(Out out, int i, __m512i x) const {
        _mm512_mask_storeu_epi64(out + 64 * i, there(i), x);
    }

private:
    __mmask8 next_to_last_, last_;
};

// The same key for all blocks.
struct OneKey {
    const Keys& keys;
    [[gnu::always_inline]] __m512i operator()(unsigned i, int) const {
        return _mm512_set1_epi32(static_cast<int>(keys.words[i]));
    }
};

// 16 * n blocks: load(i) gives blocks 8 * i to 8 * i + 7 and store(i, x) takes them, in order.
template <Order order, Way way, int n, typename Load, typename Store>
[[gnu::always_inline]] inline void words_between(const Keys& keys, const Load& load,
                                                 const Store& store) {
    const Boxes boxes(keys);
    Halves<n> x;
#pragma GCC unroll 8
    for (int j = 0; j < n; ++j) {
        const __m512i a = load(2 * j), b = load(2 * j + 1);
        parted<order>(a, b, x.right[j], x.left[j]);
    }
    rounds<way>(boxes, x, OneKey{keys});
#pragma GCC unroll 8
    for (int j = 0; j < n; ++j) {
        __m512i a, b;
        joined<order>(x.right[j], x.left[j], a, b);
        store(2 * j, a);
        store(2 * j + 1, b);
    }
}

// 16 * n blocks, or up to 15 fewer.
template <Order order, Way way, int n>
void words(const Keys& keys, Bytes in, Out out, std::size_t blocks) {
    const Memory<n> memory(blocks);
    words_between<order, way, n>(
        keys, [&](int i) { return memory.load(in, i); },
        [&](int i, __m512i x) { memory.store(out, i, x); });
}

// The numbers of blocks 16 * j to 16 * j + 15 as halves.
template <typename Counter>
[[gnu::always_inline]] inline void number(const Counter& counter, int j, __m512i& right,
                                          __m512i& left) {
    counter.halves(_mm512_add_epi32(block_numbers(), _mm512_set1_epi32(16 * j)), right, left);
    right = _mm512_ror_epi32(right, 11);
    left = _mm512_ror_epi32(left, 11);
}

// The encryptions of 16 * n numbers of blocks, or up to 15 fewer, each register to
// write(byte within the message, blocks, which of them are there).
template <Order order, int n, typename Counter, typename Write>
void words_counted(const Keys& keys, const Counter& counter, std::size_t at, std::size_t blocks,
                   const Write& write) {
    const Boxes boxes(keys);
    const Memory<n> memory(blocks);
    Halves<n> x;
#pragma GCC unroll 8
    for (int j = 0; j < n; ++j) number(counter, j, x.right[j], x.left[j]);
    rounds<Way::encrypt>(boxes, x, OneKey{keys});
#pragma GCC unroll 8
    for (int j = 0; j < n; ++j) {
        __m512i a, b;
        joined<order>(x.right[j], x.left[j], a, b);
        const std::size_t here = at + 128 * static_cast<unsigned>(j);
        write(here, a, memory.there(2 * j));
        write(here + 64, b, memory.there(2 * j + 1));
    }
}

// The same with two counters at once, for MGM: write(byte within the message, encryptions of y's
// numbers as blocks, z's as numbers, which of them are there).
template <int n, typename Y, typename Z, typename Write>
void words_counted_twice(const Keys& keys, const Y& y, const Z& z, std::size_t at,
                         std::size_t blocks, const Write& write) {
    const Memory<n> memory(blocks);
    Halves<2 * n> x;
#pragma GCC unroll 8
    for (int j = 0; j < n; ++j) {
        number(y, j, x.right[j], x.left[j]);
        number(z, j, x.right[n + j], x.left[n + j]);
    }
    rounds<Way::encrypt>(Boxes(keys), x, OneKey{keys});
#pragma GCC unroll 8
    for (int j = 0; j < n; ++j) {
        __m512i a, b, h_a, h_b;
        joined<Order::big>(x.right[j], x.left[j], a, b);
        joined<Order::little>(x.right[n + j], x.left[n + j], h_a, h_b);
        const std::size_t here = at + 128 * static_cast<unsigned>(j);
        write(here, a, h_a, memory.there(2 * j));
        write(here + 64, b, h_b, memory.there(2 * j + 1));
    }
}

// Calls work.template operator()<n>(offset in bytes, blocks) for pieces of 16 * n blocks, or up to
// 15 fewer; n is at most `most`.
template <int most, typename Work>
void in_words(std::size_t blocks, const Work& work, std::size_t at = 0) {
    for (; blocks >= 16 * most; blocks -= 16 * most, at += 128 * most)
        work.template operator()<most>(at, 16 * most);
    if constexpr (most > 1) {
        if (blocks <= 16 * (most - 1)) return in_words<most - 1>(blocks, work, at);
    }
    if (blocks > 0) work.template operator()<most>(at, blocks);
}

}  // namespace stend::gost::magma::avx512
STEND_FOR_ANY
#endif
