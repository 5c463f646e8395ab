// The round keys as the bulk kernels add them.
#pragma once

#include <cstdint>

namespace stend::gost::kuznyechik::wide {

// round[r][n] is what step n of round r's recurrence adds, in all bytes of a word: the steps after
// it carry it on, and together they make it round key r. round[0] is the first key as it is, its
// last byte first. Decryption takes each row backwards.
struct BulkKeys {
    std::uint32_t round[10][16];
};

void bulk_keys(const std::uint8_t round_keys[10][16], BulkKeys& keys);

}  // namespace stend::gost::kuznyechik::wide
