// Kuznyechik's arithmetic at compile time, from the constants of sboxes.h: the field of its linear
// transformation, L as a matrix, the constants of the key schedule. Nothing here is fast.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "gost/sboxes.h"

namespace stend::gost::kuznyechik {

using Line = std::array<std::uint8_t, 16>;

inline constexpr unsigned own_field = 0x1C3;  // x^8 + x^7 + x^6 + x + 1 (4.1.2)
inline constexpr unsigned aes_field = 0x11B;  // of the instructions of GFNI

constexpr std::uint8_t product(unsigned a, unsigned b, unsigned field) {
    unsigned sum = 0;
    for (; b != 0; b >>= 1) {
        if (b & 1) sum ^= a;
        a <<= 1;
        if (a & 0x100) a ^= field;
    }
    return static_cast<std::uint8_t>(sum);
}

// 4.2: L is sixteen steps of the shift register R.
constexpr Line transformed(Line a) {
    for (int step = 0; step < 16; ++step) {
        std::uint8_t first = 0;
        for (std::size_t i = 0; i < 16; ++i) first ^= product(a[i], linear[i], own_field);
        for (std::size_t i = 15; i > 0; --i) a[i] = a[i - 1];
        a[0] = first;
    }
    return a;
}

// L of the line that is nought but for a one at `place`: a column of L's matrix over the field.
constexpr std::array<Line, 16> columns() {
    std::array<Line, 16> all{};
    for (std::size_t place = 0; place < 16; ++place) {
        Line line{};
        line[place] = 1;
        all[place] = transformed(line);
    }
    return all;
}

// 4.3: the constants C_1 to C_32 of the key schedule.
constexpr std::array<Line, 32> iteration_constants() {
    std::array<Line, 32> all{};
    for (std::size_t i = 0; i < 32; ++i) {
        Line line{};
        line[15] = static_cast<std::uint8_t>(i + 1);
        all[i] = transformed(line);
    }
    return all;
}

constexpr std::array<std::uint8_t, 256> inverse_of(const std::array<std::uint8_t, 256>& table) {
    std::array<std::uint8_t, 256> inverse{};
    for (unsigned x = 0; x < 256; ++x) inverse[table[x]] = static_cast<std::uint8_t>(x);
    return inverse;
}

inline constexpr auto pi_inverse = inverse_of(pi);

}  // namespace stend::gost::kuznyechik
