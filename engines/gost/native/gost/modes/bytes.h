// Blocks whose size is known only at run time: sums, counters, doubling, comparison. Nothing here
// branches on what the bytes are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "gost/block.h"
#include "gost/modes/verdict.h"

namespace stend::gost {

// a ^= b
inline void add_block(std::uint8_t* a, const std::uint8_t* b, std::size_t block) {
    exclusive_or<8>(a, a, b);
    if (block == 16) exclusive_or<8>(a + 8, a + 8, b + 8);
}

inline void advance(std::uint8_t* counter, std::size_t block, std::uint64_t by) {
    if (block == 16)
        advance<16>(counter, by);
    else
        advance<8>(counter, by);
}

inline void advance_half(std::uint8_t* half, std::size_t block, std::uint64_t by) {
    if (block == 16)
        advance_half<16>(half, by);
    else
        advance_half<8>(half, by);
}

// x times the polynomial `x` in GF(2^n): GOST R 34.13-2015, 5.6.1, with B_64 = 0…011011 and
// B_128 = 0…010000111. `out` may be x.
inline void double_block(std::uint8_t* out, const std::uint8_t* x, std::size_t block) {
    const auto first = load_big<std::uint64_t>(x);
    const std::uint64_t carried = 0 - (first >> 63);
    if (block == 16) {
        const auto second = load_big<std::uint64_t>(x + 8);
        store_big(out, first << 1 | second >> 63);
        store_big(out + 8, second << 1 ^ (carried & 0x87));
    } else {
        store_big(out, first << 1 ^ (carried & 0x1b));
    }
}

// Whether both are the same, in a time that tells nothing of where they differ.
inline bool same(const std::uint8_t* a, const std::uint8_t* b, std::size_t size) {
    std::uint8_t differ = 0;
    for (std::size_t i = 0; i < size; ++i) differ |= a[i] ^ b[i];
    differ = verdict(differ);
    asm("" : "+r"(differ));  // else the compiler may leave the loop early
    return differ == 0;
}

}  // namespace stend::gost
