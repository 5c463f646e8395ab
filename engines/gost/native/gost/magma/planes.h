// Bit planes: what turns 64 blocks for each word of a vector into 64 vectors, one for each bit of
// the block, and back; and planes of counters, which need no turning.
//
// Lanes is a variant's: Lanes::Vector, a vector of Lanes::words 64-bit words. Block number
// i * words + w of a batch is bit i of word w in each plane. The turning is that of 64 x 64 bits
// in every word, by exchanges of half the size at each step: three steps on eight vectors at a
// time, so that they stay in registers, then three on eight others.
#pragma once

#include <cstring>
#include <type_traits>

#include "gost/magma/words.h"

namespace stend::gost::magma {

template <typename Lanes>
inline constexpr std::size_t batch_blocks = 64 * Lanes::words;

// Plane number j of a batch is bit j of the number a1·2^32 + a0.
template <typename Lanes>
struct Planes {
    typename Lanes::Vector at[64];
    typename Lanes::Vector half[64];  // half turned
};

template <typename Lanes>
[[gnu::always_inline]] inline typename Lanes::Vector loaded(Bytes from) {
    typename Lanes::Vector x;
    std::memcpy(&x, from, sizeof x);
    return x;
}

template <typename Lanes>
[[gnu::always_inline]] inline void stored(Out to, typename Lanes::Vector x) {
    std::memcpy(to, &x, sizeof x);
}

// Bits that differ from their place by `distance` in a change places with those in b.
template <unsigned distance, typename Vector>
[[gnu::always_inline]] inline void exchange(Vector& a, Vector& b) {
    constexpr std::uint64_t all = ~std::uint64_t{0};
    constexpr std::uint64_t low = all / ((std::uint64_t{1} << distance) + 1);
    const Vector wrong = ((a >> distance) ^ b) & low;
    b ^= wrong;
    a ^= wrong << distance;
}

// Three steps: the eight vectors differ in the bits `distance`, 2 and 4 times of it.
template <unsigned distance, typename Vector>
[[gnu::always_inline]] inline void exchange_eight(Vector (&v)[8]) {
    for (unsigned i = 0; i < 4; ++i) exchange<4 * distance>(v[i], v[i + 4]);
    for (unsigned i = 0; i < 8; i += 4)
        for (unsigned j = i; j < i + 2; ++j) exchange<2 * distance>(v[j], v[j + 2]);
    for (unsigned i = 0; i < 8; i += 2) exchange<distance>(v[i], v[i + 1]);
}

// Where the eight planes begin that come out of byte number `byte` of the blocks.
template <typename Order>
[[gnu::always_inline]] constexpr unsigned planes_of_byte(unsigned byte) {
    return 8 * (std::is_same_v<Order, BigEndian> ? 7 - byte : byte);
}

template <typename Order, typename Lanes>
[[gnu::always_inline]] inline void to_planes(Bytes in, Planes<Lanes>& planes) {
    using Vector = typename Lanes::Vector;
    Vector v[8];
    for (unsigned i = 0; i < 8; ++i) {
        for (unsigned j = 0; j < 8; ++j) v[j] = loaded<Lanes>(in + (i + 8 * j) * sizeof(Vector));
        exchange_eight<8>(v);
        for (unsigned j = 0; j < 8; ++j) planes.half[8 * j + i] = v[j];
    }
    for (unsigned i = 0; i < 8; ++i) {
        for (unsigned j = 0; j < 8; ++j) v[j] = planes.half[8 * i + j];
        exchange_eight<1>(v);
        for (unsigned j = 0; j < 8; ++j) planes.at[planes_of_byte<Order>(i) + j] = v[j];
    }
}

// The blocks a0·2^32 + a1, the halves having changed places: put(offset, vector) gets them.
template <typename Order, typename Lanes, typename Put>
[[gnu::always_inline]] inline void from_planes(Planes<Lanes>& planes, Put put) {
    using Vector = typename Lanes::Vector;
    Vector v[8];
    for (unsigned i = 0; i < 8; ++i) {
        for (unsigned j = 0; j < 8; ++j) v[j] = planes.at[(planes_of_byte<Order>(i) ^ 32) + j];
        exchange_eight<1>(v);
        for (unsigned j = 0; j < 8; ++j) planes.half[8 * i + j] = v[j];
    }
    for (unsigned i = 0; i < 8; ++i) {
        for (unsigned j = 0; j < 8; ++j) v[j] = planes.half[8 * j + i];
        exchange_eight<8>(v);
        for (unsigned j = 0; j < 8; ++j) put((i + 8 * j) * sizeof(Vector), v[j]);
    }
}

// Bit `bit` of a block's number in its batch.
template <typename Lanes>
[[gnu::always_inline]] inline typename Lanes::Vector number_plane(unsigned bit) {
    constexpr std::uint64_t masks[] = {0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0,
                                       0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000};
    constexpr unsigned of_words = std::countr_zero(Lanes::words);
    typename Lanes::Vector plane{};
    if (bit >= of_words) return plane + masks[bit - of_words];
    for (unsigned word = 0; word < Lanes::words; ++word) plane[word] = -(word >> bit & 1ULL);
    return plane;
}

// All ones or nothing, as bit `bit` of x.
[[gnu::always_inline]] inline std::uint64_t spread(std::uint64_t x, unsigned bit) {
    return -(x >> bit & 1);
}

// Planes of the numbers counter, counter + 1, … in which the bits first … last - 1 count.
template <typename Lanes>
[[gnu::always_inline]] inline void count_planes(std::uint64_t counter, unsigned first,
                                                unsigned last, Planes<Lanes>& planes) {
    using Vector = typename Lanes::Vector;
    constexpr unsigned numbered = std::countr_zero(batch_blocks<Lanes>);
    Vector carry{};
    for (unsigned i = 0; i < numbered; ++i) {
        const Vector number = number_plane<Lanes>(i), differs = number ^ spread(counter, first + i);
        planes.at[first + i] = differs ^ carry;
        carry = (differs & carry) | (number & spread(counter, first + i));
    }
    for (unsigned i = first + numbered; i < last; ++i) {
        planes.at[i] = carry ^ spread(counter, i);
        carry &= spread(counter, i);
    }
    for (unsigned i = 0; i < 64; ++i)
        if (i < first || i >= last) planes.at[i] = Vector{} + spread(counter, i);
}

}  // namespace stend::gost::magma
