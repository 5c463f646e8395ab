// The variant neon: batches in gates like the portable one, one block by AArch64's table look-ups
// in registers and its carry-less products of bytes. Constant time.
//
// The S-box is four look-ups in 64 bytes each. L is sixteen products of the block, turned by 0 to
// 15 bytes, with a line of coefficients; they are added up at twice the width and reduced once.
#if defined(__aarch64__)
#include <arm_neon.h>

#include "gost/generic.h"
#include "gost/kuznyechik/bitslice/variant.h"
#include "gost/kuznyechik/variants.h"

namespace stend::gost::kuznyechik {
namespace {

using bitslice::Sixteen;

struct Table {
    alignas(64) std::uint8_t at[256];
};
// Without the constant pi(0), which the keys bring (bitslice/keys.h).
constexpr Table substitution(bool back) {
    Table made{};
    for (unsigned x = 0; x < 256; ++x)
        made.at[x] = back ? pi_inverse[x ^ pi[0]] : static_cast<std::uint8_t>(pi[x] ^ pi[0]);
    return made;
}
constexpr Table forward = substitution(false), backward = substitution(true);

// at[d][i]: the coefficient of byte i + d in byte i of L's result.
struct Coefficients {
    std::uint8_t at[16][16];
};
constexpr Coefficients coefficients_of_l() {
    const auto column = columns();
    Coefficients made{};
    for (std::size_t d = 0; d < 16; ++d)
        for (std::size_t i = 0; i < 16; ++i) made.at[d][i] = column[(i + d) % 16][i];
    return made;
}
constexpr Coefficients coefficients = coefficients_of_l();

// What the upper byte of a product adds to the lower, by its halves.
struct Reduction {
    std::uint8_t of_low[16], of_high[16];
};
constexpr Reduction reduction_table() {
    Reduction made{};
    for (unsigned x = 0; x < 16; ++x) {
        const std::uint8_t by = own_field & 0xFF;  // x^8
        made.of_low[x] = product(x, by, own_field);
        made.of_high[x] = product(16 * x, by, own_field);
    }
    return made;
}
constexpr Reduction reduction = reduction_table();

[[gnu::always_inline]] inline uint8x16_t looked_up(uint8x16_t x, const Table& table) {
    const uint8x16_t sixty_four = vdupq_n_u8(64);
    uint8x16_t found = vqtbl4q_u8(vld1q_u8_x4(table.at), x);
    for (int i = 1; i < 4; ++i) {
        x = vsubq_u8(x, sixty_four);
        found = vqtbx4q_u8(found, vld1q_u8_x4(table.at + 64 * i), x);
    }
    return found;
}

[[gnu::always_inline]] inline poly8x8_t low_half(uint8x16_t x) {
    return vreinterpret_p8_u8(vget_low_u8(x));
}
[[gnu::always_inline]] inline poly8x8_t high_half(uint8x16_t x) {
    return vreinterpret_p8_u8(vget_high_u8(x));
}

template <int d>
[[gnu::always_inline]] inline void add_products(uint8x16_t x, uint16x8_t& low, uint16x8_t& high) {
    const uint8x16_t turned = vextq_u8(x, x, d), by = vld1q_u8(coefficients.at[d]);
    low = veorq_u16(low, vreinterpretq_u16_p16(vmull_p8(low_half(turned), low_half(by))));
    high = veorq_u16(high, vreinterpretq_u16_p16(vmull_p8(high_half(turned), high_half(by))));
}

[[gnu::always_inline]] inline uint8x16_t transformed_line(uint8x16_t x) {
    uint16x8_t low = vdupq_n_u16(0), high = low;
    [&]<int... d>(std::integer_sequence<int, d...>) {
        (add_products<d>(x, low, high), ...);
    }(std::make_integer_sequence<int, 16>());
    const uint8x16_t a = vreinterpretq_u8_u16(low), b = vreinterpretq_u8_u16(high);
    const uint8x16_t lower = vuzp1q_u8(a, b), upper = vuzp2q_u8(a, b);
    const uint8x16_t from_low =
        vqtbl1q_u8(vld1q_u8(reduction.of_low), vandq_u8(upper, vdupq_n_u8(15)));
    const uint8x16_t from_high = vqtbl1q_u8(vld1q_u8(reduction.of_high), vshrq_n_u8(upper, 4));
    return veorq_u8(lower, veorq_u8(from_low, from_high));
}

struct LookUps {
    static Sixteen round(Sixteen x) {
        return Sixteen(transformed_line(looked_up(uint8x16_t(x), forward)));
    }
    static Sixteen round_back(Sixteen x) {
        return Sixteen(looked_up(transformed_line(uint8x16_t(x)), backward));
    }
};

struct Neon {
    using Vector [[gnu::vector_size(16)]] = std::uint64_t;
    using Rounds = LookUps;
    using Product = PlainProduct;
    static constexpr std::size_t worth_a_batch = 64;

    [[gnu::always_inline]] static inline Vector all(std::uint32_t mask) {
        return Vector(vdupq_n_u32(mask));
    }
    [[gnu::always_inline]] static inline Vector interleaved_low(Vector a, Vector b) {
        return Vector(vzip1q_u8(uint8x16_t(a), uint8x16_t(b)));
    }
    [[gnu::always_inline]] static inline Vector interleaved_high(Vector a, Vector b) {
        return Vector(vzip2q_u8(uint8x16_t(a), uint8x16_t(b)));
    }
};

}  // namespace

constexpr Engine neon = generic::engine_of<bitslice::Variant<Neon>>("neon", {isa::neon}, true);

}  // namespace stend::gost::kuznyechik
#endif
