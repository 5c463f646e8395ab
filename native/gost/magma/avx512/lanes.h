// Up to eight blocks or chains, each in 64 bits of one register: the rounds with the least latency,
// seven cycles each.
//
// A half is kept rotated right by 11 bits and stands in both words of its 64-bit lane. The lower
// nibbles are found as in words.h: rotation, addition, index, permute, 1 + 1 + 1 + 3 cycles. The
// upper ones need no rotation: the key shifted by 21 bits is added to the pair of words, whose bits
// 21 to 52 are the rotated half, and its odd nibbles then lie within the lower six bits of bytes 3
// to 6, where an index can have them; only the result is moved to its bytes: 1 + 1 + 3 + 1 cycles.
// The two permutes thus do not meet at their one port. A last instruction adds all up.
#pragma once
#if defined(__x86_64__)
#include "gost/magma/avx512/words.h"

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni,pclmul,vpclmulqdq")
namespace stend::gost::magma::avx512 {

[[gnu::always_inline]] inline __m512i all_64(std::uint64_t x) {
    return _mm512_set1_epi64(static_cast<long long>(x));
}
[[gnu::always_inline]] inline __m512i all_128(std::uint64_t high, std::uint64_t low) {
    return _mm512_broadcast_i32x4(
        _mm_set_epi64x(static_cast<long long>(high), static_cast<long long>(low)));
}

// left ^= g(right).
[[gnu::always_inline]] inline void quick_round(const Boxes& boxes, __m512i right, __m512i& left,
                                               __m512i key, __m512i wide_key) {
    const __m512i sum = _mm512_add_epi32(_mm512_rol_epi32(right, 11), key);
    const __m512i even =
        ternary<and_or>(sum, _mm512_set1_epi8(0x0F), _mm512_set1_epi32(0x30201000));
    const __m512i wide_sum = _mm512_add_epi64(right, wide_key);
    const __m512i odd =
        ternary<and_or>(wide_sum, _mm512_set1_epi8(0x1E), all_64(0x0021200100000000));
    const __m512i moved = _mm512_shuffle_epi8(_mm512_permutexvar_epi8(odd, boxes.odd),
                                              all_128(0x0E0D0C0B0E0D0C0B, 0x0605040306050403));
    left = ternary<all_xor>(left, _mm512_permutexvar_epi8(even, boxes.even), moved);
}

struct Pair {
    __m512i right, left;
};

// One block a 64-bit lane, to halves and back.
template <Order order>
[[gnu::always_inline]] inline Pair taken_apart(__m512i blocks) {
    const __m512i first = order == Order::big ? all_128(0x08090A0B08090A0B, 0x0001020300010203)
                                              : all_128(0x0B0A09080B0A0908, 0x0302010003020100);
    const __m512i second = order == Order::big ? all_128(0x0C0D0E0F0C0D0E0F, 0x0405060704050607)
                                               : all_128(0x0F0E0D0C0F0E0D0C, 0x0706050407060504);
    const __m512i right = order == Order::big ? second : first;
    const __m512i left = order == Order::big ? first : second;
    return {_mm512_ror_epi32(_mm512_shuffle_epi8(blocks, right), 11),
            _mm512_ror_epi32(_mm512_shuffle_epi8(blocks, left), 11)};
}

template <Order order>
[[gnu::always_inline]] inline __m512i put_together(const Pair& x) {
    constexpr __mmask16 second_words = 0xAAAA;
    const __m512i first = order == Order::big ? x.left : x.right;
    const __m512i second = order == Order::big ? x.right : x.left;
    const __m512i both = _mm512_mask_mov_epi32(first, second_words, second);
    return turned<order>(_mm512_rol_epi32(both, 11));
}

// All rounds, or the first 16; key(i) and wide_key(i) are those of word i. The halves of the
// encrypted block are the last two in reversed order (5.4), after 16 rounds (RFC 5830, 8) not.
template <Way way, unsigned count, typename Key>
[[gnu::always_inline]] inline void quick_rounds(const Boxes& boxes, Pair& x, const Key& key) {
    static_assert(count == 32 || count == 16);
    const auto& order = order_of<way>.of;
#pragma GCC unroll 4
    for (unsigned i = 0; i < count; i += 2) {
        quick_round(boxes, x.right, x.left, key(order[i]), key.wide(order[i]));
        quick_round(boxes, x.left, x.right, key(order[i + 1]), key.wide(order[i + 1]));
    }
    if constexpr (count == 32) x = {x.left, x.right};
}

// One key for all lanes, or one for each.
struct LanesKey {
    const Keys& keys;
    [[gnu::always_inline]] __m512i operator()(unsigned i) const {
        return _mm512_set1_epi32(static_cast<int>(keys.words[i]));
    }
    [[gnu::always_inline]] __m512i wide(unsigned i) const { return all_64(keys.wide[i]); }
};

class LanesKeys {
public:
    LanesKeys(const Lane* lanes, std::size_t count) {
        for (std::size_t lane = 0; lane < 8; ++lane)
            for (unsigned i = 0; i < 8; ++i) {
                const Keys& keys = keys_of(*lanes[lane < count ? lane : 0].schedule);
                words_[i][lane] = keys.words[i] * 0x100000001;
                wide_[i][lane] = keys.wide[i];
            }
    }
    LanesKeys(const LanesKeys&) = delete;
    LanesKeys& operator=(const LanesKeys&) = delete;
    ~LanesKeys() { wipe(words_), wipe(wide_); }

    [[gnu::always_inline]] __m512i operator()(unsigned i) const {
        return _mm512_load_si512(words_[i]);
    }
    [[gnu::always_inline]] __m512i wide(unsigned i) const { return _mm512_load_si512(wide_[i]); }

private:
    alignas(64) std::uint64_t words_[8][8], wide_[8][8];
};

// Up to eight blocks.
template <Order order, Way way>
void few(const Keys& keys, Bytes in, Out out, std::size_t blocks) {
    const __mmask8 there = first_of_eight(blocks);
    Pair x = taken_apart<order>(_mm512_maskz_loadu_epi64(there, in));
    quick_rounds<way, 32>(Boxes(keys), x, LanesKey{keys});
    _mm512_mask_storeu_epi64(out, there, put_together<order>(x));
}

// Up to eight numbers of blocks, whose encryption is added to `in`.
template <Order order, typename Counter>
void few_counted(const Keys& keys, const Counter& counter, Bytes in, Out out, std::size_t blocks) {
    const __mmask8 there = first_of_eight(blocks);
    Pair x;
    counter.halves(_mm512_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7), x.right,
                   x.left);
    x = {_mm512_ror_epi32(x.right, 11), _mm512_ror_epi32(x.left, 11)};
    quick_rounds<Way::encrypt, 32>(Boxes(keys), x, LanesKey{keys});
    _mm512_mask_storeu_epi64(
        out, there, _mm512_xor_si512(put_together<order>(x), _mm512_maskz_loadu_epi64(there, in)));
}

// ---- chains ------------------------------------------------------------------------------------

[[gnu::always_inline]] inline Pair sum(const Pair& x, const Pair& y) {
    return {_mm512_xor_si512(x.right, y.right), _mm512_xor_si512(x.left, y.left)};
}

// Eight bytes from each of `count` places, or to them.
[[gnu::always_inline]] inline __m512i gathered(const Bytes* from, std::size_t count) {
    std::uint64_t first;
    std::memcpy(&first, from[0], 8);
    __m512i x = all_64(first);
    for (std::size_t i = 1; i < count; ++i) {
        std::uint64_t next;
        std::memcpy(&next, from[i], 8);
        x = _mm512_mask_set1_epi64(x, static_cast<__mmask8>(1U << i), static_cast<long long>(next));
    }
    return x;
}

[[gnu::always_inline]] inline void scattered(__m512i x, const Out* to, std::size_t count) {
    alignas(64) std::uint8_t bytes[64];
    _mm512_store_si512(bytes, x);
    for (std::size_t i = 0; i < count; ++i) std::memcpy(to[i], bytes + 8 * i, 8);
}

// The chains of up to eight lanes. The state stays in registers as halves, so that nothing but the
// rounds lies on the way from block to block; the next block's first round even runs beside the
// last, since its right half is ready by then.
template <Order order, Feed feed, std::size_t most, typename Key>
void quick_chain(const Lane* lanes, std::size_t count, const Key& key, std::size_t blocks) {
    if constexpr (most == 1) count = 1;
    constexpr bool before = feed == Feed::mac || feed == Feed::cbc || feed == Feed::imito;
    constexpr bool written = feed != Feed::mac && feed != Feed::imito;
    const Boxes boxes(keys_of(*lanes->schedule));
    Bytes in[most];
    Out out[most], states[most];
    for (std::size_t i = 0; i < count; ++i)
        in[i] = lanes[i].in, out[i] = lanes[i].out, states[i] = lanes[i].state;
    Pair state = taken_apart<order>(gathered(const_cast<const Bytes*>(states), count));
    for (; blocks > 0; --blocks) {
        const __m512i block = gathered(in, count);
        const Pair x = taken_apart<order>(block);
        if constexpr (before) state = sum(state, x);
        quick_rounds<Way::encrypt, feed == Feed::imito ? 16 : 32>(boxes, state, key);
        if constexpr (feed == Feed::cfb) state = sum(state, x);
        if constexpr (written) {
            __m512i result = put_together<order>(state);
            if constexpr (feed == Feed::ofb) result = _mm512_xor_si512(result, block);
            scattered(result, out, count);
        }
        for (std::size_t i = 0; i < count; ++i) {
            in[i] += lanes[i].stride;
            if constexpr (written) out[i] += lanes[i].stride;
        }
    }
    scattered(put_together<order>(state), states, count);
}

template <Order order, Feed feed>
void chain_few(const Lane* lanes, std::size_t count, std::size_t blocks) {
    if (count == 1)
        quick_chain<order, feed, 1>(lanes, 1, LanesKey{keys_of(*lanes->schedule)}, blocks);
    else
        quick_chain<order, feed, 8>(lanes, count, LanesKeys(lanes, count), blocks);
}

template <Order order>
void chain(Feed feed, std::span<const Lane> lanes, std::size_t blocks) {
    if (blocks == 0) return;
    for (; !lanes.empty(); lanes = lanes.subspan(std::min(lanes.size(), std::size_t{8}))) {
        const std::size_t count = std::min(lanes.size(), std::size_t{8});
        switch (feed) {
            case Feed::mac:
                chain_few<order, Feed::mac>(lanes.data(), count, blocks);
                break;
            case Feed::cbc:
                chain_few<order, Feed::cbc>(lanes.data(), count, blocks);
                break;
            case Feed::cfb:
                chain_few<order, Feed::cfb>(lanes.data(), count, blocks);
                break;
            case Feed::ofb:
                chain_few<order, Feed::ofb>(lanes.data(), count, blocks);
                break;
            case Feed::imito:
                chain_few<order, Feed::imito>(lanes.data(), count, blocks);
                break;
        }
    }
}

}  // namespace stend::gost::magma::avx512
STEND_FOR_ANY
#endif
