// A key as the AVX-512 variants of Magma and GOST 28147-89 keep it in a Schedule.
#pragma once
#if defined(__x86_64__)
#include <bit>
#include <cstdint>
#include <cstring>
#include <new>

#include "gost/block.h"
#include "gost/engine.h"
#include "gost/magma/shifts.h"
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
    std::uint8_t even[64];        // 16 * place + nibble: the substitution of a byte's lower bits
    std::uint8_t odd[64];         // likewise of its upper bits, shifted to them
    KeyWords words;               // the first round's first
    bool by_planes;               // batches are bitsliced; else there are no planes of the key
    const Shifts* shifts;         // the set's
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

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl")
template <Order order>
void write_keys(Schedule& schedule, const Substitutions& boxes, const Shifts& shifts, Bytes key,
                bool by_planes) {
    Keys& keys = *new (schedule.bytes) Keys;
    keys.by_planes = by_planes;
    keys.shifts = &shifts;
    for (unsigned place = 0; place < 4; ++place)
        for (unsigned nibble = 0; nibble < 16; ++nibble) {
            keys.even[16 * place + nibble] = boxes[2 * place][nibble];
            keys.odd[16 * place + nibble] =
                static_cast<std::uint8_t>(boxes[2 * place + 1][nibble] << 4);
        }
    for (unsigned i = 0; i < 8; ++i) {
        std::uint32_t word;
        std::memcpy(&word, key + 4 * i, 4);
        if constexpr (order == Order::big) word = swapped(word);
        keys.words[i] = word;
        for (unsigned bit = 0; by_planes && bit < 32; bit += 8)
            _mm512_storeu_si512(&keys.planes[i][bit],
                                _mm512_movm_epi64(static_cast<__mmask8>(word >> bit)));
    }
}
STEND_FOR_ANY

}  // namespace stend::gost::magma::avx512
#endif
