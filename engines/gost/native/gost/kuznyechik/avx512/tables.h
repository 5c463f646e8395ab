// The constants of the register kernels, computed at compile time from sboxes.h.
//
// The kernels keep the state in the field of AES: vgf2p8mulb multiplies modulo x^8 + x^4 + x^3 + x
// + 1, Kuznyechik modulo x^8 + x^7 + x^6 + x + 1. Both are GF(2^8), so a linear map of bytes
// carries one over to the other, products to products. The substitution is looked up between the
// mapped bytes, the linear layer is multiplied there, and only what goes in and comes out is
// mapped.
#pragma once

#include <array>
#include <cstdint>

#include "gost/sboxes.h"

namespace stend::gost::kuznyechik::wide {

using Byte = std::uint8_t;
using Permutation = std::array<Byte, 256>;
using Matrix = std::array<std::array<Byte, 16>, 16>;  // of GF(2^8)

// One register's bytes.
struct alignas(64) Row {
    Byte bytes[64];
};

inline constexpr unsigned own_field = 0x1C3, aes_field = 0x11B;

constexpr Byte times(unsigned a, unsigned b, unsigned field) {
    unsigned product = 0;
    for (; b != 0; b >>= 1, a = a << 1 ^ (a >> 7 ? field : 0))
        if (b & 1) product ^= a;
    return static_cast<Byte>(product);
}

// A root of the own field's polynomial in the field of AES, which is where x is carried to.
inline constexpr Byte root = [] {
    for (unsigned t = 2;; ++t) {
        unsigned power = 1, sum = 0;
        for (unsigned bit = 0; bit <= 8; ++bit, power = times(power, t, aes_field))
            if (own_field >> bit & 1) sum ^= power;
        if (sum == 0) return static_cast<Byte>(t);
    }
}();

inline constexpr Permutation to_aes = [] {
    Permutation image{};
    for (unsigned x = 0; x < 256; ++x) {
        unsigned power = 1;
        for (unsigned bit = 0; bit < 8; ++bit, power = times(power, root, aes_field))
            if (x >> bit & 1) image[x] = static_cast<Byte>(image[x] ^ power);
    }
    return image;
}();

constexpr Permutation inverse(const Permutation& map) {
    Permutation image{};
    for (unsigned x = 0; x < 256; ++x) image[map[x]] = static_cast<Byte>(x);
    return image;
}

inline constexpr Permutation from_aes = inverse(to_aes);

// A linear map of bytes as vgf2p8affineqb wants it: row 7 - i has the bits that bit i sums up.
constexpr std::uint64_t bit_matrix(const Permutation& map) {
    std::uint64_t rows = 0;
    for (unsigned out = 0; out < 8; ++out)
        for (unsigned in = 0; in < 8; ++in)
            if (map[1U << in] >> out & 1) rows |= std::uint64_t{1} << (8 * (7 - out) + in);
    return rows;
}

// L, or its inverse, which is L with input and output reversed: the polynomial of R is a
// palindrome. Column j is what becomes of a one in byte j.
constexpr Matrix linear_matrix(bool inverted) {
    Matrix matrix{};
    for (unsigned j = 0; j < 16; ++j) {
        std::array<Byte, 16> a{};
        a[j] = 1;
        for (unsigned step = 0; step < 16; ++step) {
            Byte sum = 0;
            for (unsigned i = 0; i < 16; ++i)
                sum = static_cast<Byte>(sum ^ times(a[i], linear[i], own_field));
            for (unsigned i = 15; i > 0; --i) a[i] = a[i - 1];
            a[0] = sum;
        }
        for (unsigned i = 0; i < 16; ++i)
            (inverted ? matrix[15 - i][15 - j] : matrix[i][j]) = to_aes[a[i]];
    }
    return matrix;
}

// One direction: the substitution and the linear layer in the kernels' shapes.
struct Tables {
    Row quarter[4];  // of the substitution
    // The linear layer's factors: with four copies of a block in a register, copy q turned by q
    // bytes, for the state turned by 4t bytes; with two copies of each of two blocks, for the state
    // turned by 2b bytes, its products by 4t; with four blocks, for the state turned by b bytes,
    // its products by 4t.
    Row copies[4], pairs[4][2], quads[4][4];
};

constexpr Tables tables(bool inverted) {
    Tables made{};
    const Permutation map = inverted ? inverse(pi) : pi;
    const Matrix m = linear_matrix(inverted);
    for (unsigned i = 0; i < 64; ++i) {
        for (unsigned k = 0; k < 4; ++k)
            made.quarter[k].bytes[i] = to_aes[map[from_aes[i + 64 * k]]];
        const unsigned lane = i / 16, at = i % 16;
        for (unsigned t = 0; t < 4; ++t) {
            made.copies[t].bytes[i] = m[at][(at + lane + 4 * t) & 15];
            for (unsigned b = 0; b < 2; ++b)
                made.pairs[t][b].bytes[i] = m[at][(at + lane % 2 + 2 * b + 4 * t) & 15];
            for (unsigned b = 0; b < 4; ++b)
                made.quads[t][b].bytes[i] = m[(at - 4 * t) & 15][(at + b) & 15];
        }
    }
    return made;
}

inline constexpr Tables forward = tables(false), backward = tables(true);

// Byte permutes. turned[b] turns each block by b bytes. spread_copies and spread_pairs put the
// first block, or two, into their copies. Those of fold gather lane r of a register, or of each
// half of it, into all copies.
struct Turns {
    Row turned[4], spread_copies, spread_pairs, fold_copies[4], fold_pairs[2];
};

inline constexpr Turns turns = [] {
    Turns made{};
    for (unsigned i = 0; i < 64; ++i) {
        const unsigned at = i % 16, copy = i / 16, half = i / 32;
        const unsigned of_four = (at + copy) & 15, of_two = (at + copy % 2) & 15;
        made.spread_copies.bytes[i] = static_cast<Byte>(of_four);
        made.spread_pairs.bytes[i] = static_cast<Byte>(16 * half + of_two);
        for (unsigned r = 0; r < 4; ++r) {
            made.turned[r].bytes[i] = static_cast<Byte>((at + r) & 15);
            made.fold_copies[r].bytes[i] = static_cast<Byte>(16 * r + of_four);
        }
        for (unsigned r = 0; r < 2; ++r)
            made.fold_pairs[r].bytes[i] = static_cast<Byte>(32 * half + 16 * r + of_two);
    }
    return made;
}();

}  // namespace stend::gost::kuznyechik::wide
