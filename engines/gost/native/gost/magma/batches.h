// Whole messages out of batches of a bitsliced variant. A batch costs the same full or not, so what
// is left over goes through one when it is large, and through the variant's way for few blocks when
// it is small. A variant V is a struct with
//
//     Lanes, Order; Keys: made of a schedule, its `at` the eight key words' constants;
//     static constexpr std::size_t worth: so many blocks are a batch's work for the other way;
//     template <typename Way> static void few(const Schedule&, Bytes, Out, std::size_t blocks);
#pragma once

#include <algorithm>

#include "gost/generic.h"
#include "gost/magma/bitslice.h"

namespace stend::gost::magma {

// What a variant works with while it goes through batches.
template <typename V>
struct Bench {
    typename V::Keys keys;
    Wiped<Planes<typename V::Lanes>> planes;
    explicit Bench(const Schedule& schedule) : keys(schedule) {}
};

template <typename Lanes>
struct Written {  // where a batch goes
    Out out;
    [[gnu::always_inline]] void operator()(std::size_t at, typename Lanes::Vector x) const {
        stored<Lanes>(out + at, x);
    }
};

template <typename Lanes>
struct Added {  // where a batch of gamma goes
    Bytes in;
    Out out;
    [[gnu::always_inline]] void operator()(std::size_t at, typename Lanes::Vector x) const {
        stored<Lanes>(out + at, x ^ loaded<Lanes>(in + at));
    }
};

template <typename V, typename Way>
[[gnu::noinline]] void batch(Bench<V>& bench, Bytes in, Out out) {
    using Lanes = typename V::Lanes;
    to_planes<typename V::Order>(in, bench.planes.value);
    rounds<Way>(bench.planes.value, bench.keys.at);
    from_planes<typename V::Order>(bench.planes.value, Written<Lanes>{out});
}

// How many blocks go through batches, the last of which may be in part: all, or the rest is few.
template <typename V>
constexpr std::size_t in_batches(std::size_t blocks) {
    const std::size_t rest = blocks % batch_blocks<typename V::Lanes>;
    return rest >= V::worth ? blocks : blocks - rest;
}

// In a function of its own: few blocks don't need its stack.
template <typename V, typename Way>
[[gnu::noinline]] void batches(const Schedule& schedule, Bytes in, Out out, std::size_t blocks) {
    constexpr std::size_t full = batch_blocks<typename V::Lanes>;
    Bench<V> bench(schedule);
    for (; blocks >= full; blocks -= full, in += 8 * full, out += 8 * full)
        batch<V, Way>(bench, in, out);
    if (blocks == 0) return;
    generic::Piece memory;
    std::uint8_t* const part = memory.take(8 * full);
    std::memcpy(part, in, 8 * blocks);
    batch<V, Way>(bench, part, part);
    std::memcpy(out, part, 8 * blocks);
}

template <typename V, typename Way>
void each(const Schedule& schedule, Bytes in, Out out, std::size_t blocks) {
    const std::size_t done = in_batches<V>(blocks);
    if (done > 0) batches<V, Way>(schedule, in, out, done);
    if (blocks > done) V::template few<Way>(schedule, in + 8 * done, out + 8 * done, blocks - done);
}

// Which bits of a counter count (RFC 9058, 3: all of a gamma's, one half of MGM's two).
struct Bits {
    unsigned first, last;
};
inline constexpr Bits all_bits = {0, 64}, right_half = {0, 32}, left_half = {32, 64};

template <Bits bits>
[[gnu::always_inline]] constexpr std::uint64_t advanced(std::uint64_t counter, std::uint64_t by) {
    constexpr std::uint64_t counting = (~std::uint64_t{0} >> (64 - (bits.last - bits.first)))
                                       << bits.first;
    return (counter & ~counting) | ((counter + (by << bits.first)) & counting);
}

template <typename V, Bits bits, typename Put>
[[gnu::noinline]] void gamma_batch(Bench<V>& bench, std::uint64_t counter, Put put) {
    count_planes(counter, bits.first, bits.last, bench.planes.value);
    rounds<Encryption>(bench.planes.value, bench.keys.at);
    from_planes<typename V::Order>(bench.planes.value, put);
}

// What gamma is for: out = in ^ gamma, or without `in` the gamma alone.
template <typename V, bool alone>
[[gnu::always_inline]] inline void used(Bytes gamma, Bytes in, Out out, std::size_t blocks) {
    if constexpr (alone)
        std::memcpy(out, gamma, 8 * blocks);
    else
        generic::exclusive_or_all<V>(out, in, gamma, blocks);
}

template <typename V, Bits bits, bool alone>
[[gnu::noinline]] void gamma_batches(const Schedule& schedule, std::uint64_t counter, Bytes in,
                                     Out out, std::size_t blocks) {
    using Lanes = typename V::Lanes;
    constexpr std::size_t full = batch_blocks<Lanes>;
    Bench<V> bench(schedule);
    for (; blocks >= full; blocks -= full, out += 8 * full) {
        if constexpr (alone) {
            gamma_batch<V, bits>(bench, counter, Written<Lanes>{out});
        } else {
            gamma_batch<V, bits>(bench, counter, Added<Lanes>{in, out});
            in += 8 * full;
        }
        counter = advanced<bits>(counter, full);
    }
    if (blocks == 0) return;
    generic::Piece memory;
    std::uint8_t* const left = memory.take(8 * full);
    gamma_batch<V, bits>(bench, counter, Written<Lanes>{left});
    used<V, alone>(left, in, out, blocks);
}

template <typename V, Bits bits, bool alone>
void few_gamma(const Schedule& schedule, std::uint64_t counter, Bytes in, Out out,
               std::size_t blocks) {
    generic::with_memory<V>(blocks, [&](auto& memory) {
        std::uint8_t* const gamma = memory.take(8 * blocks);
        for (std::size_t i = 0; i < blocks; ++i) {
            V::Order::store(gamma + 8 * i, counter);
            counter = advanced<bits>(counter, 1);
            keep_apart(counter);
        }
        V::template few<Encryption>(schedule, gamma, gamma, blocks);
        used<V, alone>(gamma, in, out, blocks);
    });
}

// out = in ^ E(counter), E(counter + 1), …; without `in` the gamma alone.
template <typename V, Bits bits, bool alone>
void gamma(const Schedule& schedule, std::uint64_t counter, Bytes in, Out out, std::size_t blocks) {
    const std::size_t done = in_batches<V>(blocks);
    if (done > 0) gamma_batches<V, bits, alone>(schedule, counter, in, out, done);
    if (blocks == done) return;
    counter = advanced<bits>(counter, done);
    few_gamma<V, bits, alone>(schedule, counter, alone ? nullptr : in + 8 * done, out + 8 * done,
                              blocks - done);
}

}  // namespace stend::gost::magma
