// Chains of blocks, each of which waits for the one before it: one in four copies, two in two
// copies each, three to sixteen by fours in as many registers as they take, more in several turns.
#if defined(__x86_64__)
#include <algorithm>
#include <cstring>

#include "gost/kuznyechik/avx512/parts.h"
#include "gost/wipe.h"
#include "gost/x86/secret.h"
#include "isa/target.h"

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni")
#include "gost/kuznyechik/avx512/narrow.h"
#include "gost/kuznyechik/avx512/rounds.h"

namespace stend::gost::kuznyechik::wide {
namespace {

// The chains of n registers. Places beyond the last lane repeat it and are not written.
template <unsigned n, typename Form>
class Chains {
public:
    Chains(Feed feed, std::span<const Lane> lanes, const std::uint8_t (*keys)[n][64])
        : feed_(feed), lanes_(lanes), keys_(keys) {}

    // With s the state of the standard, x[j] is s + after[j]: the next block's first key and what
    // is fed into it. Both go in with the last layer's key, so that a block is nine rounds and
    // nothing between them.
    void run(std::size_t blocks) const {
        const Form form;
        Vector x[n], after[n];
        each<n>([&](auto j) __attribute__((always_inline)) {
            after[j] = coming<j>(0, blocks);
            x[j] = sum(state<j>(), after[j]);
        });
        for (std::size_t block = 0; block < blocks; ++block) {
            Vector last[n];
            each<n>([&](auto j) __attribute__((always_inline)) {
                after[j] = coming<j>(block + 1, blocks);
                last[j] = sum(key<j>(9), after[j]);
                if (feed_ == Feed::cfb) last[j] = sum(last[j], input<j>(block));
            });
            for (unsigned i = 1; i < 9; ++i)
                round(
                    form, x, [&](auto j) __attribute__((always_inline)) { return key<j>(i); });
            round(
                form, x, [&](auto j) __attribute__((always_inline)) { return last[j]; });
            if (feed_ != Feed::mac)
                each<n>([&](auto j)
                            __attribute__((always_inline)) { put<j>(sum(x[j], after[j]), block); });
        }
        each<n>([&](auto j) __attribute__((always_inline)) { leave<j>(sum(x[j], after[j])); });
    }

private:
    template <unsigned j>
    STEND_INLINE const Lane& lane(unsigned i) const {
        return lanes_[std::min<std::size_t>(j * Form::blocks + i, lanes_.size() - 1)];
    }

    template <unsigned j>
    STEND_INLINE Vector key(unsigned round) const {
        return _mm512_load_si512(keys_[round][j]);
    }

    template <unsigned j>
    STEND_INLINE Vector state() const {
        return Form::gathered([this](unsigned i) __attribute__((always_inline)) {
            return load_block(lane<j>(i).state);
        });
    }

    template <unsigned j>
    STEND_INLINE void leave(Vector state) const {
        Form::scatter(
            state, [this](unsigned i, __m128i s) __attribute__((always_inline)) {
                if (j * Form::blocks + i < lanes_.size()) store_block(lane<j>(i).state, s);
            });
    }

    template <unsigned j>
    STEND_INLINE Vector input(std::size_t block) const {
        return Form::gathered([ this, block ](unsigned i) __attribute__((always_inline)) {
            return load_block(lane<j>(i).in + block * lane<j>(i).stride);
        });
    }

    // What is added to the state before block `block`.
    template <unsigned j>
    STEND_INLINE Vector coming(std::size_t block, std::size_t blocks) const {
        const bool fed = (feed_ == Feed::mac || feed_ == Feed::cbc) && block < blocks;
        return fed ? sum(key<j>(0), input<j>(block)) : key<j>(0);
    }

    template <unsigned j>
    STEND_INLINE void put(Vector state, std::size_t block) const {
        Form::scatter(
            state, [ this, block ](unsigned i, __m128i s) __attribute__((always_inline)) {
                if (j * Form::blocks + i >= lanes_.size()) return;
                const Lane& to = lane<j>(i);
                const std::size_t at = block * to.stride;
                store_block(to.out + at,
                            feed_ == Feed::ofb ? _mm_xor_si128(s, load_block(to.in + at)) : s);
            });
    }

    Feed feed_;
    std::span<const Lane> lanes_;
    const std::uint8_t (*keys_)[n][64];
};

// Round keys of several lanes side by side, as the form has the lanes.
template <unsigned n, typename Form>
[[gnu::noinline]] void together(Feed feed, std::span<const Lane> lanes, std::size_t blocks) {
    constexpr std::size_t bytes = 64 / Form::blocks;
    struct alignas(64) Keys {
        std::uint8_t rows[10][n][64];
    };
    Wiped<Keys> keys;
    for (std::size_t i = 0; i < n * Form::blocks; ++i) {
        const Lane& lane = lanes[std::min(i, lanes.size() - 1)];
        const auto& from = keys_of(*lane.schedule).few.encrypt;
        for (unsigned round = 0; round < 10; ++round)
            std::memcpy(&keys.value.rows[round][i / Form::blocks][i % Form::blocks * bytes],
                        from[round], bytes);
    }
    Chains<n, Form>(feed, lanes, keys.value.rows).run(blocks);
}

// One lane has its keys as they are wanted.
[[gnu::noinline]] void alone(Feed feed, const Lane& lane, std::size_t blocks) {
    const auto* const keys =
        reinterpret_cast<const std::uint8_t(*)[1][64]>(keys_of(*lane.schedule).few.encrypt);
    Chains<1, Copies<forward>>(feed, {&lane, 1}, keys).run(blocks);
}

// The same in a register of 32 bytes.
[[gnu::noinline]] void alone_narrow(Feed feed, const Lane& lane, std::size_t blocks) {
    using Form = Narrow<forward>;
    const Form form;
    const auto& keys = keys_of(*lane.schedule).few.encrypt;
    const auto input = [&lane](std::size_t block) __attribute__((always_inline)) {
        return Form::from(load_block(lane.in + block * lane.stride));
    };
    const auto coming = [&](std::size_t block) __attribute__((always_inline)) {
        const bool fed = (feed == Feed::mac || feed == Feed::cbc) && block < blocks;
        return fed ? sum(Form::key(keys[0]), input(block)) : Form::key(keys[0]);
    };
    Half after = coming(0), x = sum(Form::from(load_block(lane.state)), after);
    for (std::size_t block = 0; block < blocks; ++block) {
        after = coming(block + 1);
        Half last = sum(Form::key(keys[9]), after);
        if (feed == Feed::cfb) last = sum(last, input(block));
        for (unsigned i = 1; i < 9; ++i) x = form.round(x, Form::key(keys[i]));
        x = form.round(x, last);
        if (feed == Feed::mac) continue;
        const std::size_t at = block * lane.stride;
        const __m128i out = Form::to(sum(x, after));
        store_block(lane.out + at,
                    feed == Feed::ofb ? _mm_xor_si128(out, load_block(lane.in + at)) : out);
    }
    store_block(lane.state, Form::to(sum(x, after)));
}

void sixteen_at_most(Feed feed, std::span<const Lane> lanes, std::size_t blocks) {
    if (lanes.size() == 1)
        return (narrow_is_faster() ? alone_narrow : alone)(feed, lanes[0], blocks);
    if (lanes.size() == 2) return together<1, Pairs<forward>>(feed, lanes, blocks);
    if (lanes.size() <= 4) return together<1, Quads<forward, 1>>(feed, lanes, blocks);
    if (lanes.size() <= 8) return together<2, Quads<forward, 2>>(feed, lanes, blocks);
    if (lanes.size() <= 12) return together<3, Quads<forward, 3>>(feed, lanes, blocks);
    together<4, Quads<forward, 4>>(feed, lanes, blocks);
}

}  // namespace

void chain(Feed feed, std::span<const Lane> lanes, std::size_t blocks) {
    if (blocks == 0) return;
    while (!lanes.empty()) {
        // Several turns have about as many lanes each, in full registers.
        const std::size_t turns = (lanes.size() + 15) / 16;
        const std::size_t now =
            std::min((lanes.size() + turns * 4 - 1) / (turns * 4) * 4, lanes.size());
        sixteen_at_most(feed, lanes.first(now), blocks);
        lanes = lanes.subspan(now);
    }
}

}  // namespace stend::gost::kuznyechik::wide
STEND_FOR_ANY
#endif
