// The eight substitutions of 4 bits at once, inside words of 32 bits, in constant time and for any
// set: each output bit is a polynomial in the four input bits, which are spread over their nibbles,
// so that one operation does the same for all eight nibbles, and the coefficients, which differ
// from nibble to nibble, are constants of a word. The polynomial is evaluated by Horner's scheme
// in each variable: 30 operations, and 12 to spread the bits.
#pragma once

#include "gost/magma/words.h"
#include "gost/sboxes.h"

namespace stend::gost::magma {

// Coefficient m belongs to the product of those input bits whose bit in m is set; its bits are
// those of the output, nibble by nibble.
using Polynomials = std::array<std::uint32_t, 16>;

// A coefficient is the sum of the values at all arguments whose bits are among those of m.
constexpr Polynomials polynomials(const Substitutions& set) {
    Polynomials coefficients{};
    for (unsigned m = 0; m < 16; ++m)
        for (unsigned x = 0; x < 16; ++x)
            if ((x & m) == x)
                for (unsigned nibble = 0; nibble < 8; ++nibble)
                    coefficients[m] ^= std::uint32_t{set[nibble][x]} << 4 * nibble;
    return coefficients;
}

// Word: 32 bits, or a vector of them.
template <typename Word>
[[gnu::always_inline]] inline Word substituted(Word x, const Polynomials& c) {
    Word bit[4], part[8];
#pragma GCC unroll 4
    for (unsigned i = 0; i < 4; ++i) {
        const Word lowest = (x >> i) & 0x11111111u;
        bit[i] = (lowest << 4) - lowest;
    }
#pragma GCC unroll 8
    for (unsigned i = 0; i < 8; ++i) part[i] = (bit[0] & c[2 * i + 1]) ^ c[2 * i];
#pragma GCC unroll 3
    for (unsigned level = 1; level < 4; ++level)
#pragma GCC unroll 4
        for (unsigned i = 0; i < 8u >> level; ++i)
            part[i] = part[2 * i] ^ (bit[level] & part[2 * i + 1]);
    return part[0];
}

template <typename Word>
[[gnu::always_inline]] inline Word round_function(Word x, std::uint32_t key, const Polynomials& c) {
    const Word y = substituted<Word>(x + key, c);
    return (y << 11) | (y >> 21);
}

// Four blocks side by side.
using Four = std::uint32_t __attribute__((vector_size(16)));

// The rounds of Way over a pair of halves.
template <typename Way, typename Word>
[[gnu::always_inline]] inline void network(Word& a1, Word& a0, const KeyWords& key,
                                           const Polynomials& c) {
    for (unsigned round = 0; round < Way::rounds; round += 2) {
        a1 ^= round_function(a0, key[Way::word(round)], c);
        a0 ^= round_function(a1, key[Way::word(round + 1)], c);
    }
}

// The number that the rounds leave: after all 32 the halves change places once more, after the
// sixteen of the imitovstavka they do not (RFC 5830, 5 and 8).
template <typename Way>
[[gnu::always_inline]] inline std::uint64_t joined(std::uint32_t a1, std::uint32_t a0) {
    const std::uint32_t high = Way::rounds == 32 ? a0 : a1, low = Way::rounds == 32 ? a1 : a0;
    return std::uint64_t{high} << 32 | low;
}

// Up to four blocks.
template <typename Order, typename Way>
void few_blocks(Bytes in, Out out, std::size_t blocks, const KeyWords& key, const Polynomials& c) {
    Four a1{}, a0{};
    for (std::size_t i = 0; i < blocks; ++i) {
        const auto x = Order::template load<std::uint64_t>(in + 8 * i);
        a1[i] = static_cast<std::uint32_t>(x >> 32);
        a0[i] = static_cast<std::uint32_t>(x);
    }
    network<Way>(a1, a0, key, c);
    for (std::size_t i = 0; i < blocks; ++i) Order::store(out + 8 * i, joined<Way>(a1[i], a0[i]));
}

}  // namespace stend::gost::magma
