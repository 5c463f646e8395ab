// Blocks as bytes and as big-endian numbers.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace stend::gost {

inline std::uint64_t swapped(std::uint64_t x) {
    return __builtin_bswap64(x);
}
inline std::uint32_t swapped(std::uint32_t x) {
    return __builtin_bswap32(x);
}

template <typename Word>
Word load_big(const std::uint8_t* bytes) {
    Word x;
    std::memcpy(&x, bytes, sizeof x);
    return std::endian::native == std::endian::little ? swapped(x) : x;
}

template <typename Word>
void store_big(std::uint8_t* bytes, Word x) {
    if constexpr (std::endian::native == std::endian::little) x = swapped(x);
    std::memcpy(bytes, &x, sizeof x);
}

// A block xor another, a word at a time.
template <std::size_t block>
void exclusive_or(std::uint8_t* out, const std::uint8_t* a, const std::uint8_t* b) {
    for (std::size_t i = 0; i < block; i += 8) {
        std::uint64_t x, y;
        std::memcpy(&x, a + i, 8);
        std::memcpy(&y, b + i, 8);
        x ^= y;
        std::memcpy(out + i, &x, 8);
    }
}

// `counter` + `by` modulo 2^n, n the bits of a block.
template <std::size_t block>
void advance(std::uint8_t* counter, std::uint64_t by) {
    if constexpr (block == 8) {
        store_big(counter, load_big<std::uint64_t>(counter) + by);
    } else {
        const std::uint64_t low = load_big<std::uint64_t>(counter + 8) + by;
        store_big(counter + 8, low);
        store_big(counter, load_big<std::uint64_t>(counter) + (low < by));
    }
}

// One half of a block + `by` modulo 2^(n/2): how MGM counts (RFC 9058, 4.1: incr_l and incr_r).
template <std::size_t block>
void advance_half(std::uint8_t* half, std::uint64_t by) {
    if constexpr (block == 8)
        store_big(half, load_big<std::uint32_t>(half) + static_cast<std::uint32_t>(by));
    else
        store_big(half, load_big<std::uint64_t>(half) + by);
}

}  // namespace stend::gost
