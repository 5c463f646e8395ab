// Chains with AVX2: one lane by shifts.h; up to eight, each with its key, go through shuffles.h
// together, two as long as eight. To be included between STEND_FOR("avx2,bmi2") and STEND_FOR_ANY.
#pragma once

#include <span>

#include "gost/magma/shifts.h"
#include "gost/magma/shuffles.h"

namespace stend::gost::magma {

// The lanes' blocks of one step, out of memory and into it.
struct alignas(32) Step {
    std::uint8_t bytes[64] = {};
};

template <typename Order, typename Lanes>
[[gnu::always_inline]] inline Eight<Lanes> gathered(std::span<const Lane> lanes, std::size_t step,
                                                    Step& memory) {
    for (std::size_t i = 0; i < lanes.size(); ++i)
        std::memcpy(memory.bytes + 8 * i, lanes[i].in + step * lanes[i].stride, 8);
    return loaded_eight<Order, Lanes>(memory.bytes);
}

template <typename Order, typename Lanes>
[[gnu::always_inline]] inline void scattered(std::span<const Lane> lanes, std::size_t step,
                                             const Eight<Lanes>& blocks, Step& memory) {
    stored_eight<Order>(memory.bytes, blocks);
    for (std::size_t i = 0; i < lanes.size(); ++i)
        std::memcpy(lanes[i].out + step * lanes[i].stride, memory.bytes + 8 * i, 8);
}

template <typename Lanes>
[[gnu::always_inline]] inline Eight<Lanes> operator^(const Eight<Lanes>& x, const Eight<Lanes>& y) {
    return {_mm256_xor_si256(x.a1, y.a1), _mm256_xor_si256(x.a0, y.a0)};
}

// V::words(schedule) gives the key's words.
template <typename V>
[[gnu::always_inline]] inline void keys_of_lanes(std::span<const Lane> lanes, __m256i (&key)[8]) {
    Wiped<KeyWords[8]> words;  // that of block i of a vector's halves
    for (std::size_t i = 0; i < 8; ++i)
        words.value[i] = i < lanes.size() ? V::words(*lanes[i].schedule) : KeyWords{};
    for (unsigned k = 0; k < 8; ++k) {
        const auto word = [&](unsigned i) { return static_cast<int>(words.value[i][k]); };
        key[k] = _mm256_setr_epi32(word(0), word(1), word(4), word(5), word(2), word(3), word(6),
                                   word(7));
    }
}

// What the feed does to a block; Way and feed are known to the compiler.
template <typename V, typename Way, Feed feed>
[[gnu::noinline]] void chain_of_eight(std::span<const Lane> lanes, std::size_t blocks) {
    using Lanes = typename V::Lanes;
    using Order = typename V::Order;
    const Substituting<Lanes> substituting(V::tables(*lanes[0].schedule));
    Wiped<Step> memory;
    Wiped<KeysOfEight<Lanes>> key;
    keys_of_lanes<V>(lanes, key.value.word);
    for (std::size_t i = 0; i < lanes.size(); ++i)
        std::memcpy(memory.value.bytes + 8 * i, lanes[i].state, 8);
    Eight<Lanes> state = loaded_eight<Order, Lanes>(memory.value.bytes);
    for (std::size_t step = 0; step < blocks; ++step) {
        const Eight<Lanes> x = gathered<Order, Lanes>(lanes, step, memory.value);
        if constexpr (feed == Feed::mac || feed == Feed::cbc || feed == Feed::imito)
            state = state ^ x;
        network<Way>(state, key.value.word, substituting);
        state = ended<Way>(state);
        if constexpr (feed == Feed::cfb) state = state ^ x;
        if constexpr (feed == Feed::cbc || feed == Feed::cfb)
            scattered<Order>(lanes, step, state, memory.value);
        if constexpr (feed == Feed::ofb) scattered<Order>(lanes, step, state ^ x, memory.value);
    }
    stored_eight<Order>(memory.value.bytes, state);
    for (std::size_t i = 0; i < lanes.size(); ++i)
        std::memcpy(lanes[i].state, memory.value.bytes + 8 * i, 8);
}

template <typename V>
void chain_by_shuffles(Feed feed, std::span<const Lane> lanes, std::size_t blocks) {
    while (!lanes.empty()) {
        if (lanes.size() == 1) return chain_by_shifts<V>(feed, lanes[0], blocks);
        const auto now = lanes.first(std::min<std::size_t>(lanes.size(), 8));
        switch (feed) {
            case Feed::mac:
                chain_of_eight<V, Encryption, Feed::mac>(now, blocks);
                break;
            case Feed::cbc:
                chain_of_eight<V, Encryption, Feed::cbc>(now, blocks);
                break;
            case Feed::cfb:
                chain_of_eight<V, Encryption, Feed::cfb>(now, blocks);
                break;
            case Feed::ofb:
                chain_of_eight<V, Encryption, Feed::ofb>(now, blocks);
                break;
            case Feed::imito:
                chain_of_eight<V, FirstSixteen, Feed::imito>(now, blocks);
                break;
        }
        lanes = lanes.subspan(now.size());
    }
}

}  // namespace stend::gost::magma
