// Chains, in which each block waits for the one before: 16 a register, so that as many as there are
// hide each other's latency.
//
// A round is a rotation, an addition, a shift, an index, a permute and the sum, 1 + 1 + 1 + 1 + 3
// + 1 cycles. The state stays in registers as halves, so that nothing but the rounds lies on the
// way from block to block; the next block's first round even runs beside the last one, since its
// right half is ready by then.
#pragma once
#if defined(__x86_64__)
#include <algorithm>

#include "gost/magma/avx512/words.h"
#include "gost/wipe.h"

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni,pclmul,vpclmulqdq")
namespace stend::gost::magma::avx512 {

inline constexpr std::size_t most_lanes = 64;  // 128 at once gain nothing more

// Where parted() has block i of 16.
constexpr std::size_t place_of(std::size_t i) {
    return i % 8 / 2 * 4 + i / 8 * 2 + i % 2;
}

// A key for each of up to 16 * n lanes.
template <int n>
class KeyEach {
public:
    KeyEach(const Lane* lanes, std::size_t count) {
        for (std::size_t lane = 0; lane < count; ++lane)
            for (unsigned i = 0; i < 8; ++i)
                words_[i][lane / 16][place_of(lane % 16)] = keys_of(*lanes[lane].schedule).words[i];
    }
    KeyEach(const KeyEach&) = delete;
    KeyEach& operator=(const KeyEach&) = delete;
    ~KeyEach() { wipe(words_); }

    [[gnu::always_inline]] __m512i operator()(unsigned i, int j) const {
        return _mm512_load_si512(words_[i][j]);
    }

private:
    alignas(64) std::uint32_t words_[8][n][16] = {};
};

// A block from each of `count` places, or to them.
template <int n>
struct Gathered {
    __m512i blocks[2 * n];

    [[gnu::always_inline]] Gathered(const Bytes* from, std::size_t count) {
#pragma GCC unroll 16
        for (std::size_t j = 0; j < 2 * n; ++j) {
            blocks[j] = _mm512_setzero_si512();
#pragma GCC unroll 8
            for (std::size_t i = 0; i < 8; ++i)
                if (8 * j + i < count)
                    blocks[j] = _mm512_mask_broadcastq_epi64(
                        blocks[j], static_cast<__mmask8>(1U << i),
                        _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from[8 * j + i])));
        }
    }

    void scatter(const Out* to, std::size_t count) const {
        alignas(64) std::uint8_t bytes[128 * n];
#pragma GCC unroll 16
        for (int j = 0; j < 2 * n; ++j) _mm512_store_si512(bytes + 64 * j, blocks[j]);
        for (std::size_t i = 0; i < count; ++i) std::memcpy(to[i], bytes + 8 * i, 8);
    }
};

template <Order order, int n>
[[gnu::always_inline]] inline Halves<n> parted(const Gathered<n>& x) {
    Halves<n> halves;
#pragma GCC unroll 8
    for (int j = 0; j < n; ++j)
        parted<order>(x.blocks[2 * j], x.blocks[2 * j + 1], halves.right[j], halves.left[j]);
    return halves;
}

// As joined() of a state between blocks, whose halves have changed places.
template <Order order, int n>
[[gnu::always_inline]] inline void join(const Halves<n>& state, Gathered<n>& x) {
#pragma GCC unroll 8
    for (int j = 0; j < n; ++j)
        joined<order>(state.left[j], state.right[j], x.blocks[2 * j], x.blocks[2 * j + 1]);
}

template <int n>
[[gnu::always_inline]] inline void add(Halves<n>& state, const Halves<n>& x) {
#pragma GCC unroll 8
    for (int j = 0; j < n; ++j) {
        state.right[j] = _mm512_xor_si512(state.right[j], x.right[j]);
        state.left[j] = _mm512_xor_si512(state.left[j], x.left[j]);
    }
}

// The last round leaves the halves in their places (5.4); half the rounds are all of one kind
// (RFC 5830, 8).
template <Feed feed, int n, typename Key>
[[gnu::always_inline]] inline void encrypt(const Boxes& boxes, Halves<n>& x, const Key& key) {
    if constexpr (feed == Feed::imito) return rounds<Way::encrypt, n, 16>(boxes, x, key);
    rounds<Way::encrypt, n, 32>(boxes, x, key);
#pragma GCC unroll 8
    for (int j = 0; j < n; ++j) std::swap(x.right[j], x.left[j]);
}

template <Order order, Feed feed, int n, typename Key>
void chained(const Lane* lanes, std::size_t count, const Key& key, std::size_t blocks) {
    constexpr bool before = feed == Feed::mac || feed == Feed::cbc || feed == Feed::imito;
    constexpr bool written = feed != Feed::mac && feed != Feed::imito;
    const Boxes boxes(keys_of(*lanes->schedule));
    Bytes in[16 * n];
    Out out[16 * n], states[16 * n];
    for (std::size_t i = 0; i < count; ++i)
        in[i] = lanes[i].in, out[i] = lanes[i].out, states[i] = lanes[i].state;
    Halves<n> state = parted<order, n>(Gathered<n>(const_cast<const Bytes*>(states), count));
    for (; blocks > 0; --blocks) {
        Gathered<n> block(in, count);
        const Halves<n> x = parted<order, n>(block);
        if constexpr (before) add(state, x);
        encrypt<feed, n>(boxes, state, key);
        if constexpr (feed == Feed::cfb) add(state, x);
        if constexpr (feed == Feed::ofb) {
            Halves<n> sum = state;
            add(sum, x);
            join<order>(sum, block);
            block.scatter(out, count);
        } else if constexpr (written) {
            join<order>(state, block);
            block.scatter(out, count);
        }
        for (std::size_t i = 0; i < count; ++i) {
            in[i] += lanes[i].stride;
            if constexpr (written) out[i] += lanes[i].stride;
        }
    }
    Gathered<n> last(const_cast<const Bytes*>(states), 0);
    join<order>(state, last);
    last.scatter(states, count);
}

template <Order order, Feed feed, int n>
void chain_together(std::span<const Lane> lanes, std::size_t blocks) {
    const auto same = [&](const Lane& lane) { return lane.schedule == lanes[0].schedule; };
    if (std::all_of(lanes.begin(), lanes.end(), same))
        chained<order, feed, n>(lanes.data(), lanes.size(), OneKey{keys_of(*lanes[0].schedule)},
                                blocks);
    else
        chained<order, feed, n>(lanes.data(), lanes.size(), KeyEach<n>(lanes.data(), lanes.size()),
                                blocks);
}

template <Order order, Feed feed>
void chain(std::span<const Lane> lanes, std::size_t blocks) {
    while (!lanes.empty() && blocks > 0) {
        const auto now = lanes.first(std::min(lanes.size(), most_lanes));
        if (now.size() <= 16)
            chain_together<order, feed, 1>(now, blocks);
        else if (now.size() <= 32)
            chain_together<order, feed, 2>(now, blocks);
        else
            chain_together<order, feed, 4>(now, blocks);
        lanes = lanes.subspan(now.size());
    }
}

template <Order order>
void chain(Feed feed, std::span<const Lane> lanes, std::size_t blocks) {
    switch (feed) {
        case Feed::mac:
            return chain<order, Feed::mac>(lanes, blocks);
        case Feed::cbc:
            return chain<order, Feed::cbc>(lanes, blocks);
        case Feed::cfb:
            return chain<order, Feed::cfb>(lanes, blocks);
        case Feed::ofb:
            return chain<order, Feed::ofb>(lanes, blocks);
        case Feed::imito:
            return chain<order, Feed::imito>(lanes, blocks);
    }
}

}  // namespace stend::gost::magma::avx512
STEND_FOR_ANY
#endif
