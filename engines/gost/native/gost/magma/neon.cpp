// Magma with NEON, in constant time: bitsliced as portable.cpp is, few blocks by look-ups in
// registers (TBL), four at a time, and a
// single chain by shifts.h.
#if defined(__aarch64__)
#include <arm_neon.h>

#include <new>

#include "gost/magma/counting.h"
#include "gost/magma/few_plain.h"
#include "gost/magma/variants.h"
#include "gost/magma/wide_keys.h"

namespace stend::gost::magma {
namespace {

struct NeonLanes {
    using Vector = std::uint64_t __attribute__((vector_size(16)));
    static constexpr unsigned words = 2;
};

// The substitutions as tables of bytes, those of odd nibbles in the high half of the byte.
struct ByteTables {
    alignas(16) std::uint8_t table[8][16];
};

constexpr ByteTables byte_tables(const Substitutions& set) {
    ByteTables tables{};
    for (unsigned i = 0; i < 8; ++i)
        for (unsigned x = 0; x < 16; ++x)
            tables.table[i][x] = static_cast<std::uint8_t>(set[i][x] << 4 * (i % 2));
    return tables;
}

constexpr ByteTables tc26_z_tables = byte_tables(tc26_z);
constexpr Shifts tc26_z_shifts = magma::shifts(tc26_z);

// Byte number `byte` of all four words, out of both its tables; what the other bytes get is not
// wanted.
[[gnu::always_inline]] inline uint8x16_t of_byte(unsigned byte, uint8x16_t lower,
                                                 uint8x16_t upper) {
    return vorrq_u8(vqtbl1q_u8(vld1q_u8(tc26_z_tables.table[2 * byte]), lower),
                    vqtbl1q_u8(vld1q_u8(tc26_z_tables.table[2 * byte + 1]), upper));
}

[[gnu::always_inline]] inline uint32x4_t round_function(uint32x4_t x, std::uint32_t key) {
    const uint8x16_t sum = vreinterpretq_u8_u32(vaddq_u32(x, vdupq_n_u32(key)));
    const uint8x16_t lower = vandq_u8(sum, vdupq_n_u8(15)), upper = vshrq_n_u8(sum, 4);
    const uint8x16_t even = vreinterpretq_u8_u16(vdupq_n_u16(0x00FF));
    const uint8x16_t first = vreinterpretq_u8_u32(vdupq_n_u32(0x0000FFFF));
    const uint8x16_t low = vbslq_u8(even, of_byte(0, lower, upper), of_byte(1, lower, upper));
    const uint8x16_t high = vbslq_u8(even, of_byte(2, lower, upper), of_byte(3, lower, upper));
    const uint32x4_t y = vreinterpretq_u32_u8(vbslq_u8(first, low, high));
    return vsriq_n_u32(vshlq_n_u32(y, 11), y, 21);
}

// At most four blocks.
template <typename Way>
void four_blocks(Bytes in, Out out, std::size_t blocks, const KeyWords& key) {
    Wiped<std::uint8_t[32]> part;
    std::memcpy(part.value, in, 8 * blocks);
    // Words 0, 2, … are the high halves; the bytes of each word turned round.
    const uint32x4x2_t words = vld2q_u32(reinterpret_cast<const std::uint32_t*>(part.value));
    uint32x4_t a1 = vreinterpretq_u32_u8(vrev32q_u8(vreinterpretq_u8_u32(words.val[0])));
    uint32x4_t a0 = vreinterpretq_u32_u8(vrev32q_u8(vreinterpretq_u8_u32(words.val[1])));
    for (unsigned round = 0; round < Way::rounds; round += 2) {
        a1 = veorq_u32(a1, round_function(a0, key[Way::word(round)]));
        a0 = veorq_u32(a0, round_function(a1, key[Way::word(round + 1)]));
    }
    const uint32x4x2_t changed = {{vreinterpretq_u32_u8(vrev32q_u8(vreinterpretq_u8_u32(a0))),
                                   vreinterpretq_u32_u8(vrev32q_u8(vreinterpretq_u8_u32(a1)))}};
    vst2q_u32(reinterpret_cast<std::uint32_t*>(part.value), changed);
    std::memcpy(out, part.value, 8 * blocks);
}

struct Neon {
    static constexpr std::size_t block = 8;
    using Lanes = NeonLanes;
    using Order = BigEndian;
    using Product = PlainProduct;
    using Keys = WideKeys<Lanes>;
    static constexpr std::size_t worth = 64;  // not measured: there was no such processor

    static void schedule(Schedule& schedule, Cipher, Bytes key) {
        new (schedule.bytes) KeyWords(key_words<BigEndian>(key));
    }

    static const KeyWords& words(const Schedule& schedule) {
        return *std::launder(reinterpret_cast<const KeyWords*>(schedule.bytes));
    }
    static const Shifts& shifts(const Schedule&) { return tc26_z_shifts; }

    template <typename Way>
    static void few(const Schedule& schedule, Bytes in, Out out, std::size_t blocks) {
        for (std::size_t done = 0; done < blocks; done += 4)
            four_blocks<Way>(in + 8 * done, out + 8 * done, std::min<std::size_t>(4, blocks - done),
                             words(schedule));
    }

    static constexpr auto encrypt = each<Neon, Encryption>;
    static constexpr auto decrypt = each<Neon, Decryption>;
};

}  // namespace

constexpr Engine neon = counting_engine<Neon>("neon", {isa::neon}, chain_in_plain<Neon>);

}  // namespace stend::gost::magma
#endif
