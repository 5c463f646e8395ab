// Magma bitsliced: 64 blocks for each word of a vector at once, a vector for each bit of the block,
// the rotation a matter of names, and every operation the same for all blocks (constant time).
//
// A round is an addition of the key to 32 planes and eight substitutions. Two thoughts make it
// small, 4 operations a bit for the addition and 15 to 17 and 4 more for a substitution:
//
// The addition. With the carry c and the key's bit k kept as d = c ^ k, the sum's bit is r ^ d, and
// the next d is ((r ^ k) & d) ^ (k ^ k'), k' being the key's next bit: two constants a bit.
//
// Constants that wander. The circuits give S(x) ^ S(0). What is missing, a constant of 32 bits, is
// not put in: after an odd number of changes a half is held as what it is ^ offset, offset =
// S(0) rotated by 11. Of four rounds the second and third read such a half, and an addition
// undoes it for nothing, in its constants. After four rounds everything is as it should be. The
// pattern is the same forwards and backwards, so that each key word always meets the same offset.
#pragma once

#include "gost/magma/circuits/tc26_z.h"
#include "gost/magma/planes.h"
#include "gost/sboxes.h"

namespace stend::gost::magma {

// The bits at which a stored half differs from what it is.
constexpr std::uint32_t offset_of(const Substitutions& set) {
    std::uint32_t at_zero = 0;
    for (unsigned i = 0; i < 8; ++i) at_zero |= std::uint32_t{set[i][0]} << 4 * i;
    return std::rotl(at_zero, 11);
}
inline constexpr std::uint32_t offset = offset_of(tc26_z);

// Whether the round that takes this word of the key reads such a half.
constexpr bool reads_offset(unsigned word) {
    return word % 4 == 1 || word % 4 == 2;
}

// The circuits, tried out on all sixteen values at once.
template <unsigned n>
constexpr bool circuit_is_right() {
    unsigned y[4] = {};
    Tc26Z::add<n>(0xAAAAu, 0xCCCCu, 0xF0F0u, 0xFF00u, y[0], y[1], y[2], y[3]);
    for (unsigned x = 0; x < 16; ++x)
        for (unsigned i = 0; i < 4; ++i)
            if ((y[i] >> x & 1) != ((tc26_z[n][x] ^ tc26_z[n][0]) >> i & 1U)) return false;
    return true;
}
static_assert(circuit_is_right<0>() && circuit_is_right<1>() && circuit_is_right<2>() &&
              circuit_is_right<3>() && circuit_is_right<4>() && circuit_is_right<5>() &&
              circuit_is_right<6>() && circuit_is_right<7>());

// A key word's constants: for bit i the addend of the half's bit, k ^ offset, and that of d,
// k ^ k' ^ the next bit of the offset.
struct KeyPlanes {
    std::uint64_t half[32], carry[32];
};

[[gnu::always_inline]] inline void key_planes(std::uint32_t key, bool shifted, KeyPlanes& planes) {
    const std::uint32_t held = shifted ? offset : 0;
    const std::uint32_t half = key ^ held, carry = key ^ ((key ^ held) >> 1);
    for (unsigned i = 0; i < 32; ++i) {
        planes.half[i] = spread(half, i);
        planes.carry[i] = spread(carry, i);
    }
}

// One substitution: the sum's four bits, and what they do to the other half. d comes in as that of
// bit 4n, and goes out as that of bit 4n + 4.
template <bool shifted, unsigned n, typename Lanes, typename Key>
[[gnu::always_inline]] inline void substitution(const typename Lanes::Vector* __restrict__ half,
                                                typename Lanes::Vector* __restrict__ other,
                                                const Key& key, typename Lanes::Vector& d) {
    using Vector = typename Lanes::Vector;
    Vector x[4];
    for (unsigned i = 0; i < 4; ++i) {
        const unsigned bit = 4 * n + i;
        const Vector r = half[bit];
        x[i] = r ^ d;
        if (bit == 31) break;
        const Vector generates = r ^ key.half[bit];
        const bool complemented = shifted && (offset >> bit & 1);
        d = (complemented ? generates & ~d : generates & d) ^ key.carry[bit];
    }
    Vector* const y[4] = {&other[(4 * n + 11) & 31], &other[(4 * n + 12) & 31],
                          &other[(4 * n + 13) & 31], &other[(4 * n + 14) & 31]};
    Tc26Z::add<n>(x[0], x[1], x[2], x[3], *y[0], *y[1], *y[2], *y[3]);
}

template <bool shifted, typename Lanes, typename Key>
[[gnu::always_inline]] inline void round(const typename Lanes::Vector* __restrict__ half,
                                         typename Lanes::Vector* __restrict__ other,
                                         const Key& key) {
    typename Lanes::Vector d = typename Lanes::Vector{} + key.half[0];
    substitution<shifted, 0, Lanes>(half, other, key, d);
    substitution<shifted, 1, Lanes>(half, other, key, d);
    substitution<shifted, 2, Lanes>(half, other, key, d);
    substitution<shifted, 3, Lanes>(half, other, key, d);
    substitution<shifted, 4, Lanes>(half, other, key, d);
    substitution<shifted, 5, Lanes>(half, other, key, d);
    substitution<shifted, 6, Lanes>(half, other, key, d);
    substitution<shifted, 7, Lanes>(half, other, key, d);
}

// All rounds. Keys: eight times the constants of a key word.
template <typename Way, typename Lanes, typename Key>
[[gnu::noinline]] void rounds(Planes<Lanes>& planes, const Key* keys) {
    auto* const a0 = planes.at;
    auto* const a1 = planes.at + 32;
    for (unsigned i = 0; i < 32; i += 4) {
        round<false, Lanes>(a0, a1, keys[Way::word(i)]);
        round<true, Lanes>(a1, a0, keys[Way::word(i + 1)]);
        round<true, Lanes>(a0, a1, keys[Way::word(i + 2)]);
        round<false, Lanes>(a1, a0, keys[Way::word(i + 3)]);
    }
}

}  // namespace stend::gost::magma
