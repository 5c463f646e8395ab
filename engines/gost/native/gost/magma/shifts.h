// One block in general registers, in constant time and for any set of substitutions: the sixteen
// values of a substitution are one word of 64 bits, and a shift by four times the nibble looks one
// up. For single messages in the modes that wait for each block, where vectors would stand idle.
// For processors with registers of 64 bits: others make branches of such shifts. What is here is
// compiled for whatever STEND_FOR is in force where it is first included.
//
// A half is kept times 4, so that a nibble is a number of bits to shift by already: bits 2 to 33
// count, and the others may hold anything, since keys are 0 there and nothing is carried up from
// them. Two substitutions make a byte of the result: the values of the second lie one nibble up,
// where its S(15) has no room; it is made 0 by adding it to all values, and `constant` takes it off
// again. Eleven operations follow on each other in a round (README.md).
#pragma once

#include <bit>
#include <utility>

#include "gost/magma/words.h"
#include "gost/sboxes.h"

namespace stend::gost::magma {

struct Shifts {
    std::uint64_t values[8], constant;
};

constexpr Shifts shifts(const Substitutions& set) {
    Shifts made{};
    std::uint32_t off = 0;
    for (unsigned i = 0; i < 8; ++i) {
        const bool up = i % 2 == 0;  // the second of its pair: (7, 0), (1, 2), (3, 4), (5, 6)
        const std::uint64_t of_15 = up ? set[i][15] : 0;
        for (unsigned x = 0; x < 16; ++x)
            made.values[i] |= (set[i][x] ^ of_15) << (4 * x + (up ? 4 : 0)) % 64;
        off |= static_cast<std::uint32_t>(of_15) << 4 * i;
    }
    made.constant = std::uint64_t{std::rotl(off, 11)} << 2;
    return made;
}

// Bits 8 to 15 and, on some processors, what lies above them.
[[gnu::always_inline]] inline std::uint64_t second_byte(std::uint64_t x) {
#if defined(__x86_64__) && !defined(__clang__)  // clang's MemorySanitizer: block.h, keep_apart
    asm("movzbl %h1, %k0" : "=Q"(x) : "Q"(x));  // which no port has to shift
    return x;
#else
    return x >> 8;
#endif
}

[[gnu::always_inline]] inline std::uint64_t two_nibbles(std::uint64_t first, std::uint64_t second,
                                                        std::uint64_t n, std::uint64_t m) {
    keep_apart(n);  // or GCC masks what the shift masks again
    keep_apart(m);
    return (first >> (n & 63) & 0x0F) | (second >> (m & 63) & 0xF0);
}

// left ^ g(sum), times 4.
[[gnu::always_inline]] inline std::uint64_t changed(std::uint64_t left, std::uint64_t sum,
                                                    const Shifts& s) {
    const std::uint64_t even = sum & 0x3C3C3C3C, odd = sum >> 4 & 0x3C3C3C3C;
    const std::uint64_t even_4 = even >> 16, odd_5 = odd >> 16;
    const std::uint64_t odd_3 = second_byte(odd), odd_7 = second_byte(odd_5);
    const std::uint64_t b12 = two_nibbles(s.values[1], s.values[2], odd, second_byte(even));
    const std::uint64_t b34 = two_nibbles(s.values[3], s.values[4], odd_3, even_4);
    const std::uint64_t b56 = two_nibbles(s.values[5], s.values[6], odd_5, second_byte(even_4));
    const std::uint64_t b70 = two_nibbles(s.values[7], s.values[0], odd_7, even);
    // Nibble 5 goes to bits 31, 0, 1 and 2 (rotation by 11), so that b56 is needed at either end.
    std::uint64_t early = left ^ s.constant ^ b12 << 17, late = b34 << 25 ^ b56 << 1,
                  latest = b70 << 9 ^ b56 << 33;
    keep_apart(early);  // GCC would add them up one after the other
    keep_apart(late);
    keep_apart(latest);
    early ^= late;
    keep_apart(early);
    return early ^ latest;
}

struct HalvesBy4 {
    std::uint64_t a1, a0;

    [[gnu::always_inline]] static HalvesBy4 of(std::uint64_t block) {
        return {block >> 30, block << 2};
    }
    [[gnu::always_inline]] std::uint64_t block() const {
        return a1 >> 2 << 32 | static_cast<std::uint32_t>(a0 >> 2);
    }
};

template <bool forwards>
[[gnu::always_inline]] inline void eight_rounds(HalvesBy4& x, const KeyWords& key,
                                                const Shifts& s) {
#pragma GCC unroll 4
    for (unsigned i = 0; i < 8; i += 2) {
        const std::uint64_t first = key[forwards ? i : 7 - i],
                            second = key[forwards ? i + 1 : 6 - i];
        x.a1 = changed(x.a1, x.a0 + (first << 2), s);
        x.a0 = changed(x.a0, x.a1 + (second << 2), s);
    }
}

// What all rounds leave; after 32 the halves change places once more (words.h, nibbles.h).
template <typename Way>
[[gnu::always_inline]] inline void network_by_shifts(HalvesBy4& x, const KeyWords& key,
                                                     const Shifts& s) {
    for (unsigned round = 0; round < Way::rounds; round += 8)
        if (Way::word(round) == 0)
            eight_rounds<true>(x, key, s);
        else
            eight_rounds<false>(x, key, s);
    if (Way::rounds == 32) std::swap(x.a1, x.a0);
}

template <typename Order, typename Way>
[[gnu::always_inline]] inline void one_block_by_shifts(Bytes in, Out out, const KeyWords& key,
                                                       const Shifts& s) {
    auto x = HalvesBy4::of(Order::template load<std::uint64_t>(in));
    network_by_shifts<Way>(x, key, s);
    Order::store(out, x.block());
}

template <typename V, typename Way, Feed feed>
[[gnu::noinline]] void chain_of_one(const Lane& lane, std::size_t blocks) {
    using Order = typename V::Order;
    const KeyWords& key = V::words(*lane.schedule);
    const Shifts* in_memory = &V::shifts(*lane.schedule);
    keep_apart(in_memory);  // as operands: ten bytes of each instruction would be the value
    const Shifts& s = *in_memory;
    auto state = HalvesBy4::of(Order::template load<std::uint64_t>(lane.state));
    const auto add = [](HalvesBy4& to, const HalvesBy4& x) { to.a1 ^= x.a1, to.a0 ^= x.a0; };
    for (std::size_t at = 0; blocks > 0; --blocks, at += lane.stride) {
        const auto x = HalvesBy4::of(Order::template load<std::uint64_t>(lane.in + at));
        if constexpr (feed == Feed::mac || feed == Feed::cbc || feed == Feed::imito) add(state, x);
        network_by_shifts<Way>(state, key, s);
        if constexpr (feed == Feed::cfb) add(state, x);
        auto out = state;
        if constexpr (feed == Feed::ofb) add(out, x);
        if constexpr (feed == Feed::cbc || feed == Feed::cfb || feed == Feed::ofb)
            Order::store(lane.out + at, out.block());
    }
    Order::store(lane.state, state.block());
}

// One chain. V::words(schedule) gives the key's words, V::shifts(schedule) its set's.
template <typename V>
void chain_by_shifts(Feed feed, const Lane& lane, std::size_t blocks) {
    switch (feed) {
        case Feed::mac:
            return chain_of_one<V, Encryption, Feed::mac>(lane, blocks);
        case Feed::cbc:
            return chain_of_one<V, Encryption, Feed::cbc>(lane, blocks);
        case Feed::cfb:
            return chain_of_one<V, Encryption, Feed::cfb>(lane, blocks);
        case Feed::ofb:
            return chain_of_one<V, Encryption, Feed::ofb>(lane, blocks);
        case Feed::imito:
            return chain_of_one<V, FirstSixteen, Feed::imito>(lane, blocks);
    }
}

}  // namespace stend::gost::magma
