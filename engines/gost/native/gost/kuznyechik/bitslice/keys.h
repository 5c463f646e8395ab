// Kuznyechik's round keys for the bitsliced variants, and one block at a time, in constant time.
//
// A block alone is spread out to eight masks, one for each bit of its bytes: 0xFF where the bit is
// set. The S-box's gates work on them as they do on planes, and L is 128 masked sums of constants.
#pragma once

#include <cstring>

#include "gost/engine.h"
#include "gost/kuznyechik/bitslice/substitution.h"
#include "gost/kuznyechik/field.h"
#include "gost/wipe.h"

namespace stend::gost::kuznyechik::bitslice {

// The gates of the S-box leave out the constant pi(0). It is added where it costs nothing: as
// L(pi(0), …) to the keys of all rounds but the first.
struct Keys {
    Line line[10];
    std::uint32_t mask[10][16][8];  // all ones where the bit of that byte is set
};
static_assert(sizeof(Keys) <= sizeof(Schedule));

constexpr Line missing_constant() {
    Line line{};
    line.fill(pi[0]);
    return transformed(line);
}
inline constexpr Line missing = missing_constant();

// terms[d][b][j]: what bit b of byte j adds to byte j + d modulo 16 of L's result.
struct Terms {
    std::uint8_t at[16][8][16];
};

constexpr Terms terms_of_l() {
    Terms terms{};
    const auto column = columns();
    for (std::size_t d = 0; d < 16; ++d)
        for (std::size_t b = 0; b < 8; ++b)
            for (std::size_t j = 0; j < 16; ++j)
                terms.at[d][b][j] = product(column[j][(j + d) % 16], 1U << b, own_field);
    return terms;
}
alignas(64) inline constexpr Terms terms = terms_of_l();

}  // namespace stend::gost::kuznyechik::bitslice
