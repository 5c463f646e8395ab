// A key as the AVX-512 variants of Magma and GOST 28147-89 keep it in a Schedule.
#pragma once
#if defined(__x86_64__)
#include <bit>
#include <cstdint>
#include <cstring>
#include <new>

#include "gost/block.h"
#include "gost/engine.h"
#include "gost/sboxes.h"
#include "gost/x86/intrinsics.h"
#include "isa/target.h"

namespace stend::gost::magma::avx512 {

// How a block's 8 bytes are two halves, and the key's bytes words. `big`: Magma (GOST R 34.12-2015,
// 5.2), the left half first. `little`: GOST 28147-89 (RFC 5830), the same backwards: the half that
// goes through the first round, N1, comes first.
enum class Order { big, little };

enum class Way { encrypt, decrypt };

struct Keys {
    std::uint64_t planes[8][32];  // each bit of each word as a mask
    std::uint8_t even[64];        // place << 4 | nibble: the substitution of the lower four bits
    std::uint8_t odd[64];         // the upper bits', shifted to them; see place_odd()
    std::uint32_t words[8];       // the first round's first
    std::uint64_t wide[8];        // words shifted by 21 for chains, see lanes.h
};
static_assert(sizeof(Keys) <= sizeof(Schedule));

inline const Keys& keys_of(const Schedule& schedule) {
    return *reinterpret_cast<const Keys*>(schedule.bytes);
}

// Which word of the key each round takes: the eight of them three times over, then backwards
// (5.3); decryption the other way round.
struct KeyOrder {
    std::uint8_t of[32];
};
template <Way way>
constexpr KeyOrder key_order() {
    KeyOrder order = {};
    for (unsigned i = 0; i < 32; ++i) {
        const unsigned round = way == Way::encrypt ? i : 31 - i;
        order.of[i] = static_cast<std::uint8_t>(round < 24 ? round % 8 : 31 - round);
    }
    return order;
}
template <Way way>
inline constexpr KeyOrder order_of = key_order<way>();

// Where the table of an odd substitution has the entry of `nibble` for byte `place` of a word: the
// index has the nibble in bits 1 to 4 and the place in bits 0 and 5.
constexpr unsigned odd_entry(unsigned place, unsigned nibble) {
    return nibble << 1 | (place & 1) | (place & 2) << 4;
}

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl")
template <Order order>
void write_keys(Schedule& schedule, const Substitutions& boxes, Bytes key) {
    Keys& keys = *new (schedule.bytes) Keys;
    for (unsigned place = 0; place < 4; ++place)
        for (unsigned nibble = 0; nibble < 16; ++nibble) {
            keys.even[place << 4 | nibble] = boxes[2 * place][nibble];
            keys.odd[odd_entry(place, nibble)] =
                static_cast<std::uint8_t>(boxes[2 * place + 1][nibble] << 4);
        }
    for (unsigned i = 0; i < 8; ++i) {
        std::uint32_t word;
        std::memcpy(&word, key + 4 * i, 4);
        if constexpr (order == Order::big) word = swapped(word);
        keys.words[i] = word;
        keys.wide[i] = std::uint64_t{word} << 21;
        for (unsigned bit = 0; bit < 32; bit += 8)
            _mm512_storeu_si512(&keys.planes[i][bit],
                                _mm512_movm_epi64(static_cast<__mmask8>(word >> bit)));
    }
}
STEND_FOR_ANY

}  // namespace stend::gost::magma::avx512
#endif
