// Many blocks at once, one bit of all of them in a vector: gates instead of tables.
//
// A batch is as many blocks as a vector has bits. Planes stand by bytes, in the order in which they
// enter the register R: a step of L reads sixteen bytes' planes and writes the next ones behind
// them, so that L moves nothing. Decryption puts the bytes in the other order, in which the same
// steps are L's inverse.
#pragma once

#include "gost/kuznyechik/bitslice/keys.h"
#include "gost/kuznyechik/bitslice/step.h"

namespace stend::gost::kuznyechik::bitslice {

// Lanes has the vector and two ways to interleave the bytes of two vectors.
template <typename Lanes>
struct Bulk {
    using V = typename Lanes::Vector;
    static constexpr std::size_t group = sizeof(V);   // blocks of which a vector has one byte each
    static constexpr std::size_t blocks = 8 * group;  // of a batch

    struct State {
        V plane[32][8];
    };

    // Sixteen vectors of whole blocks become vectors of one byte of each block, and back.
    [[gnu::always_inline]] static inline void transpose_bytes(V* v) {
        for (int stage = 0; stage < 4; ++stage) {
            V next[16];
            for (int i = 0; i < 8; ++i) {
                next[2 * i] = Lanes::interleaved_low(v[i], v[i + 8]);
                next[2 * i + 1] = Lanes::interleaved_high(v[i], v[i + 8]);
            }
            for (int i = 0; i < 16; ++i) v[i] = next[i];
        }
    }

    template <int by>
    [[gnu::always_inline]] static inline void swap_bits(V& a, V& b, std::uint64_t mask) {
        const V moved = ((a >> by) ^ b) & mask;
        b ^= moved;
        a ^= moved << by;
    }

    // Bit b of the bytes of vector g and bit g of those of vector b change places.
    [[gnu::always_inline]] static inline void transpose_bits(V* x) {
        for (int i = 0; i < 4; ++i) swap_bits<4>(x[i], x[i + 4], 0x0F0F0F0F0F0F0F0F);
        for (int i : {0, 1, 4, 5}) swap_bits<2>(x[i], x[i + 2], 0x3333333333333333);
        for (int i : {0, 2, 4, 6}) swap_bits<1>(x[i], x[i + 1], 0x5555555555555555);
    }

    template <bool back>
    static void take(State& s, const std::uint8_t* in) {
        for (std::size_t g = 0; g < 8; ++g) {
            V v[16];
            std::memcpy(v, in + 16 * group * g, sizeof v);
            transpose_bytes(v);
            for (std::size_t i = 0; i < 16; ++i) s.plane[16 + (back ? i : 15 - i)][g] = v[i];
        }
        for (std::size_t i = 16; i < 32; ++i) transpose_bits(s.plane[i]);
    }

    template <bool back>
    static void give(State& s, std::uint8_t* out) {
        for (std::size_t i = 0; i < 16; ++i) transpose_bits(s.plane[i]);
        for (std::size_t g = 0; g < 8; ++g) {
            V v[16];
            for (std::size_t i = 0; i < 16; ++i) v[i] = s.plane[back ? i : 15 - i][g];
            transpose_bytes(v);
            std::memcpy(out + 16 * group * g, v, sizeof v);
        }
    }

    // The register's last sixteen bytes, plus a key, through the S-box to its first.
    [[gnu::noinline]] static void substitute_all(State& s, const std::uint32_t (*key)[8]) {
        for (std::size_t i = 0; i < 16; ++i) {
            V x[8];
            for (std::size_t b = 0; b < 8; ++b)
                x[b] = s.plane[16 + i][b] ^ Lanes::all(key[15 - i][b]);
            substitute(x, s.plane[i]);
        }
    }

    [[gnu::noinline]] static void substitute_all_back(State& s, const std::uint32_t (*key)[8]) {
        for (std::size_t i = 0; i < 16; ++i) {
            V x[8];
            substitute_back(s.plane[16 + i], x);
            for (std::size_t b = 0; b < 8; ++b) s.plane[i][b] = x[b] ^ Lanes::all(key[i][b]);
        }
    }

    template <bool back>
    static void add_key(State& s, const std::uint32_t (*key)[8]) {
        for (std::size_t i = 0; i < 16; ++i)
            for (std::size_t b = 0; b < 8; ++b)
                s.plane[i][b] = s.plane[16 + i][b] ^ Lanes::all(key[back ? i : 15 - i][b]);
    }

    [[gnu::noinline]] static void transform(State& s) {
        for (std::size_t i = 0; i < 16; ++i) {
            step(s.plane[i], s.plane[i + 16]);
            // Or else GCC keeps planes from step to step, all 128 of them in 16 registers.
            asm volatile("" : : "r"(&s) : "memory");
        }
    }

    static void encrypt(const Keys& keys, State& s, const std::uint8_t* in, std::uint8_t* out) {
        take<false>(s, in);
        for (int i = 0; i < 9; ++i) {
            substitute_all(s, keys.mask[i]);
            transform(s);
        }
        add_key<false>(s, keys.mask[9]);
        give<false>(s, out);
    }

    static void decrypt(const Keys& keys, State& s, const std::uint8_t* in, std::uint8_t* out) {
        take<true>(s, in);
        add_key<true>(s, keys.mask[9]);
        for (int i = 8; i >= 0; --i) {
            transform(s);
            substitute_all_back(s, keys.mask[i]);
        }
        give<true>(s, out);
    }
};

}  // namespace stend::gost::kuznyechik::bitslice
