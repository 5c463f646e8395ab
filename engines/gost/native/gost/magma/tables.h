// Magma and GOST 28147-89 by four tables of 256 words: two substitutions each, rotated by 11. Fast
// where there are no vectors to speak of, and NOT constant time: the addresses are made of the
// data and the key.
#pragma once

#include "gost/magma/nibbles.h"
#include "gost/sboxes.h"

namespace stend::gost::magma {

struct Tables {
    std::uint32_t at[4][256];
};

constexpr Tables tables_of(const Substitutions& set) {
    Tables tables{};
    for (unsigned byte = 0; byte < 4; ++byte)
        for (unsigned x = 0; x < 256; ++x)
            tables.at[byte][x] =
                std::rotl(std::uint32_t{set[2 * byte][x & 15]} << 8 * byte |
                              std::uint32_t{set[2 * byte + 1][x >> 4]} << (8 * byte + 4),
                          11);
    return tables;
}

[[gnu::always_inline]] inline std::uint32_t looked_up(std::uint32_t a, const Tables& tables) {
    return tables.at[0][a & 255] ^ tables.at[1][a >> 8 & 255] ^ tables.at[2][a >> 16 & 255] ^
           tables.at[3][a >> 24];
}

// `together` blocks, whose look-ups wait for each other less than those of one.
template <typename Order, typename Way, unsigned together>
void by_tables(Bytes in, Out out, const KeyWords& key, const Tables& tables) {
    std::uint32_t a1[together], a0[together];
    for (unsigned i = 0; i < together; ++i) {
        const auto x = Order::template load<std::uint64_t>(in + 8 * i);
        a1[i] = static_cast<std::uint32_t>(x >> 32);
        a0[i] = static_cast<std::uint32_t>(x);
    }
    for (unsigned round = 0; round < Way::rounds; round += 2) {
        for (unsigned i = 0; i < together; ++i)
            a1[i] ^= looked_up(a0[i] + key[Way::word(round)], tables);
        for (unsigned i = 0; i < together; ++i)
            a0[i] ^= looked_up(a1[i] + key[Way::word(round + 1)], tables);
    }
    for (unsigned i = 0; i < together; ++i) Order::store(out + 8 * i, joined<Way>(a1[i], a0[i]));
}

template <typename Order, typename Way>
void blocks_by_tables(Bytes in, Out out, std::size_t blocks, const KeyWords& key,
                      const Tables& tables) {
    constexpr unsigned together = 4;
    for (; blocks >= together; blocks -= together, in += 8 * together, out += 8 * together)
        by_tables<Order, Way, together>(in, out, key, tables);
    for (; blocks > 0; --blocks, in += 8, out += 8) by_tables<Order, Way, 1>(in, out, key, tables);
}

}  // namespace stend::gost::magma
