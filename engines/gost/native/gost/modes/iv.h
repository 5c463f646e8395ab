// An initialisation vector becomes a counter or a register.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace stend::gost {

using Two [[gnu::vector_size(16)]] = std::uint64_t;

// Zeros follow a vector shorter than a block. A block is written by one store: what loads it as a
// whole would have to wait for two to be done.
inline void load_iv(std::uint8_t* to, const void* iv, std::size_t size) {
    if (size == 16) {
        std::memcpy(to, iv, 16);
    } else if (size == 8) {
        std::uint64_t half;
        std::memcpy(&half, iv, 8);
        const Two both = {half, 0};
        std::memcpy(to, &both, 16);
    } else if (size == 4) {
        std::uint64_t whole = 0;
        std::memcpy(&whole, iv, 4);
        std::memcpy(to, &whole, 8);
    } else if (size) {
        std::memcpy(to, iv, size);
    }
}

}  // namespace stend::gost
