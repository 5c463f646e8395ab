// One block at a time in constant time, for short messages, chains and the key schedule.
//
// In plain C++ the block is spread out to eight masks, one for each bit of its bytes: 0xFF where
// the bit is set. The gates of the S-box work on masks as on planes; L is then a sum of 128 masked
// constants in sixteen groups, of which each is turned to its place.
#pragma once

#include <utility>

#include "gost/kuznyechik/bitslice/keys.h"

namespace stend::gost::kuznyechik::bitslice {

using Sixteen [[gnu::vector_size(16)]] = std::uint8_t;

[[gnu::always_inline]] inline Sixteen load(const std::uint8_t* bytes) {
    Sixteen x;
    std::memcpy(&x, bytes, sizeof x);
    return x;
}

[[gnu::always_inline]] inline void store(std::uint8_t* bytes, Sixteen x) {
    std::memcpy(bytes, &x, sizeof x);
}

// Bytes of a and b, counted through both.
template <int... from>
[[gnu::always_inline]] inline Sixteen mixed(Sixteen a, Sixteen b) {
#if defined(__clang__) || __GNUC__ >= 12
    return __builtin_shufflevector(a, b, from...);
#else
    return __builtin_shuffle(a, b, Sixteen{from...});
#endif
}

// Byte i moves to place i + by modulo 16.
template <int by>
[[gnu::always_inline]] inline Sixteen turned(Sixteen x) {
    return [&]<int... i>(std::integer_sequence<int, i...>) {
        return mixed<((i - by) & 15)...>(x, x);
    }(std::make_integer_sequence<int, 16>());
}

[[gnu::always_inline]] inline Sixteen reversed(Sixteen x) {
    return mixed<15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0>(x, x);
}

[[gnu::always_inline]] inline void spread(Sixteen x, Sixteen* masks) {
    using Signed [[gnu::vector_size(16)]] = signed char;
    for (int bit = 7; bit >= 0; --bit, x += x) masks[bit] = Sixteen(Signed(x) < 0);
}

// The bytes of L's result that come from its terms of one turn.
[[gnu::always_inline]] inline Sixteen group(const Sixteen* masks, std::size_t d) {
    Sixteen sum = masks[0] & load(terms.at[d][0]);
    for (std::size_t b = 1; b < 8; ++b) sum ^= masks[b] & load(terms.at[d][b]);
    return sum;
}

[[gnu::always_inline]] inline Sixteen four_groups(const Sixteen* masks, std::size_t d) {
    return group(masks, d) ^ turned<4>(group(masks, d + 4)) ^ turned<8>(group(masks, d + 8)) ^
           turned<12>(group(masks, d + 12));
}

[[gnu::always_inline]] inline Sixteen combined(const Sixteen* masks) {
    return four_groups(masks, 0) ^ turned<1>(four_groups(masks, 1)) ^
           turned<2>(four_groups(masks, 2)) ^ turned<3>(four_groups(masks, 3));
}

// Rounds of gates. A template, so that each variant has its own code.
template <typename Lanes>
struct Gates {
    // L of the S-box's gates, without the constant that they leave out.
    [[gnu::noinline]] static Sixteen round(Sixteen x) {
        Sixteen masks[8];
        spread(x, masks);
        substitute(masks, masks);
        return combined(masks);
    }

    // The inverse of round, bytes reversed before and after: L's inverse is then L.
    [[gnu::noinline]] static Sixteen round_back(Sixteen x) {
        Sixteen masks[8];
        spread(x, masks);
        spread(combined(masks), masks);
        substitute_back(masks, masks);
        for (int b = 0; b < 8; ++b) masks[b] &= static_cast<std::uint8_t>(1 << b);
        return masks[0] ^ masks[1] ^ masks[2] ^ masks[3] ^ masks[4] ^ masks[5] ^ masks[6] ^
               masks[7];
    }
};

// The cipher and its key schedule on Rounds that are made like Gates.
template <typename Rounds>
struct Single {
    static void encrypt_one(const Keys& keys, const std::uint8_t* in, std::uint8_t* out) {
        Sixteen x = load(in) ^ load(keys.line[0].data());
        for (int i = 1; i < 10; ++i) x = Rounds::round(x) ^ load(keys.line[i].data());
        store(out, x);
    }

    static void decrypt_one(const Keys& keys, const std::uint8_t* in, std::uint8_t* out) {
        Sixteen x = reversed(load(in) ^ load(keys.line[9].data()));
        for (int i = 8; i >= 0; --i)
            x = Rounds::round_back(x) ^ reversed(load(keys.line[i].data()));
        store(out, reversed(x));
    }

    // 4.3: the round keys, each pair by eight steps from the one before.
    static void expand(Keys& keys, const std::uint8_t* key) {
        static constexpr auto constants = iteration_constants();
        const Sixteen constant = load(missing.data());
        Sixteen a = load(key), b = load(key + 16);
        store(keys.line[0].data(), a);
        store(keys.line[1].data(), b ^ constant);
        for (std::size_t i = 0; i < 32; ++i) {
            const Sixteen next = Rounds::round(a ^ load(constants[i].data())) ^ constant ^ b;
            b = a;
            a = next;
            if (i % 8 == 7) {
                store(keys.line[i / 4 + 1].data(), a ^ constant);
                store(keys.line[i / 4 + 2].data(), b ^ constant);
            }
        }
        for (std::size_t i = 0; i < 10; ++i)
            for (std::size_t j = 0; j < 16; ++j)
                for (unsigned bit = 0; bit < 8; ++bit)
                    keys.mask[i][j][bit] = 0U - (keys.line[i][j] >> bit & 1U);
    }
};

}  // namespace stend::gost::kuznyechik::bitslice
