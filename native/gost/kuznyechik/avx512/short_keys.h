// The round keys as the short kernels add them.
#pragma once

#include <cstdint>

namespace stend::gost::kuznyechik::wide {

struct ShortKeys {
    std::uint8_t round[10][16];
};

}  // namespace stend::gost::kuznyechik::wide
