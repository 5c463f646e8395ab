// Blocks and keys as the numbers that Magma and GOST 28147-89 work with. Both are one network of
// 32 rounds; they differ in the order of bytes: what Magma reads from the last byte on,
// GOST 28147-89 reads from the first (RFC 8891, 4.3; RFC 5830, 4 and 5.1).
#pragma once

#include <array>

#include "gost/block.h"
#include "gost/engine.h"

namespace stend::gost::magma {

// A block is the number a1·2^32 + a0. N1 of GOST 28147-89 is a0, its N2 is a1.
struct BigEndian {  // Magma
    template <typename Word>
    [[gnu::always_inline]] static Word load(Bytes bytes) {
        return load_big<Word>(bytes);
    }
    template <typename Word>
    [[gnu::always_inline]] static void store(Out bytes, Word x) {
        store_big(bytes, x);
    }
};

struct LittleEndian {  // GOST 28147-89
    template <typename Word>
    [[gnu::always_inline]] static Word load(Bytes bytes) {
        return swapped(load_big<Word>(bytes));
    }
    template <typename Word>
    [[gnu::always_inline]] static void store(Out bytes, Word x) {
        store_big(bytes, swapped(x));
    }
};

using KeyWords = std::array<std::uint32_t, 8>;

template <typename Order>
KeyWords key_words(Bytes key) {
    KeyWords words;
    for (unsigned i = 0; i < 8; ++i) words[i] = Order::template load<std::uint32_t>(key + 4 * i);
    return words;
}

// Which word of the key a round takes, and how many rounds there are (RFC 8891, 4.3, 5;
// RFC 5830, 5 and 8).
struct Encryption {
    static constexpr unsigned rounds = 32;
    static constexpr unsigned word(unsigned round) {
        return round < 24 ? round & 7 : 7 - (round & 7);
    }
};
struct Decryption {
    static constexpr unsigned rounds = 32;
    static constexpr unsigned word(unsigned round) { return round < 8 ? round : 7 - (round & 7); }
};

struct FirstSixteen {  // of GOST 28147-89's imitovstavka
    static constexpr unsigned rounds = 16;
    static constexpr unsigned word(unsigned round) { return round & 7; }
};

}  // namespace stend::gost::magma
