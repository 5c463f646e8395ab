// The constants of the bulk kernels, computed at compile time from sboxes.h.
#pragma once

#include <array>
#include <cstdint>

#include "gost/sboxes.h"

namespace stend::gost::kuznyechik::sliced {

using Byte = std::uint8_t;

// In GF(2)[x] / (x^8 + x^7 + x^6 + x + 1).
constexpr Byte times(unsigned a, unsigned b) {
    unsigned product = 0;
    for (; b != 0; b >>= 1, a = a << 1 ^ (a >> 7 ? 0x1C3 : 0))
        if (b & 1) product ^= a;
    return static_cast<Byte>(product);
}

constexpr Byte ratio(Byte a, Byte b) {
    Byte quotient = 1;
    while (times(quotient, b) != a) ++quotient;
    return quotient;
}

// Multiplication by a constant as vgf2p8affineqb wants it: row 7 - i has the bits that bit i sums.
constexpr std::uint64_t matrix(Byte factor) {
    std::uint64_t rows = 0;
    for (unsigned out = 0; out < 8; ++out)
        for (unsigned in = 0; in < 8; ++in)
            if (times(1U << in, factor) >> out & 1)
                rows |= std::uint64_t{1} << (8 * (7 - out) + in);
    return rows;
}

// R as a recurrence: s[n + 16] = c(0) s[n] + … + c(15) s[n + 15], where s[0] is the last byte of
// the block. With c(16) = 1 the coefficients are a palindrome.
constexpr Byte c(unsigned i) {
    return linear[(15 - i) & 15];
}
static_assert([] {
    for (unsigned i = 0; i < 16; ++i)
        if (c(i) != c(16 - i)) return false;
    return c(0) == 1 && c(7) == 1 && (c(1) ^ c(4) ^ 1) == c(3);
}());

// The six multiplications of one step, see rounds.
struct Factors {
    std::uint64_t eight, six, five, two, one, four;
};
inline constexpr Factors factors = {
    .eight = matrix(ratio(c(8), c(6))),
    .six = matrix(ratio(c(6), c(5))),
    .five = matrix(ratio(c(5), c(2))),
    .two = matrix(ratio(c(2), c(3))),
    .one = matrix(c(1)),
    .four = matrix(c(4)),
};

// A substitution of bytes in four quarters, for vpermb.
struct alignas(64) Substitution {
    Byte quarter[4][64];
};

constexpr Substitution substitution(bool inverse) {
    Substitution made{};
    for (unsigned x = 0; x < 256; ++x) {
        const unsigned from = inverse ? pi[x] : x, to = inverse ? x : pi[x];
        made.quarter[from / 64][from % 64] = static_cast<Byte>(to);
    }
    return made;
}
inline constexpr Substitution forward = substitution(false), backward = substitution(true);

// What L makes of a lone byte at place `from`: row i multiplies it into byte i.
struct Column {
    std::uint64_t row[16];
};

constexpr Column column(unsigned from) {
    std::array<Byte, 32> s{};  // the recurrence
    s[15 - from] = 1;
    for (unsigned n = 0; n < 16; ++n)
        for (unsigned i = 0; i < 16; ++i)
            s[n + 16] = static_cast<Byte>(s[n + 16] ^ times(c(i), s[n + i]));
    Column made{};
    for (unsigned i = 0; i < 16; ++i) made.row[i] = matrix(s[31 - i]);
    return made;
}

// Which of a batch's 64 blocks lies at each place of a sliced register, see transposed().
struct alignas(64) Places {
    Byte block[64];
};
inline constexpr Places places = [] {
    Places made{};
    for (unsigned p = 0; p < 64; ++p) made.block[p] = static_cast<Byte>(4 * (p % 16) + p / 16);
    return made;
}();

}  // namespace stend::gost::kuznyechik::sliced
