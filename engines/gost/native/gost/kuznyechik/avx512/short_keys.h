// The round keys as the short kernels add them.
#pragma once

#include <cstdint>

namespace stend::gost::kuznyechik::wide {

// In the field of AES, in four copies, copy q turned by q bytes. encrypt[i] is the round key K_i+1.
// decrypt[0] is K_1, and decrypt[i] what the inverse of the linear layer makes of K_i+1: that is
// added after it instead of before.
struct alignas(64) ShortKeys {
    std::uint8_t encrypt[10][64];
    std::uint8_t decrypt[10][64];
};

}  // namespace stend::gost::kuznyechik::wide
