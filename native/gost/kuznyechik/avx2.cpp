// The variant avx2: 256 blocks as gates on vectors of 256 bits, in constant time.
#if defined(__x86_64__)
#include <new>
#include <utility>

#include "gost/generic.h"
#include "gost/kuznyechik/variants.h"
#include "gost/x86/intrinsics.h"
#include "isa/target.h"

STEND_FOR("avx2,pclmul")
#include "gost/kuznyechik/bitslice/variant.h"
#include "gost/kuznyechik/carryless.h"

namespace stend::gost::kuznyechik {
namespace {

using bitslice::Sixteen;

// A table of 256 bytes as sixteen of 16, of which a vector holds two.
struct Halves {
    alignas(32) std::uint8_t at[8][32];
};
constexpr Halves in_halves(bool back) {
    Halves made{};
    for (unsigned x = 0; x < 256; ++x)
        made.at[x / 32][x % 32] =
            back ? pi_inverse[x ^ pi[0]] : static_cast<std::uint8_t>(pi[x] ^ pi[0]);
    return made;
}
constexpr Halves forward = in_halves(false), backward = in_halves(true);

// L's terms of turns d and d + 8 side by side.
struct PairedTerms {
    alignas(32) std::uint8_t at[8][8][32];
};
constexpr PairedTerms paired_terms() {
    PairedTerms made{};
    for (std::size_t d = 0; d < 8; ++d)
        for (std::size_t b = 0; b < 8; ++b)
            for (std::size_t j = 0; j < 32; ++j)
                made.at[d][b][j] = bitslice::terms.at[d + j / 16 * 8][b][j % 16];
    return made;
}
constexpr PairedTerms paired = paired_terms();

[[gnu::always_inline]] inline __m256i operand(const std::uint8_t (&bytes)[32]) {
    return _mm256_load_si256(reinterpret_cast<const __m256i*>(bytes));
}

// Each sixteenth of the table is looked up, two at a time. The index's upper half is nought in the
// right one alone; in all others the sum has its top bit set, and pshufb gives nought.
[[gnu::always_inline]] inline __m256i looked_up(__m256i x, const Halves& table) {
    __m256i found = _mm256_setzero_si256();
    for (int i = 0; i < 8; ++i) {
        const __m256i high = _mm256_set_m128i(_mm_set1_epi8(static_cast<char>(32 * i + 16)),
                                              _mm_set1_epi8(static_cast<char>(32 * i)));
        const __m256i index = _mm256_adds_epu8(x ^ high, _mm256_set1_epi8(0x70));
        found ^= _mm256_shuffle_epi8(operand(table.at[i]), index);
    }
    return found ^ _mm256_permute4x64_epi64(found, 0x4E);
}

// Byte i of each half moves to place i + by.
template <int by>
[[gnu::always_inline]] inline __m256i turned(__m256i x) {
    return _mm256_alignr_epi8(x, x, 16 - by);
}

template <int d>
[[gnu::always_inline]] inline __m256i group(const __m256i* masks) {
    __m256i sum = masks[0] & operand(paired.at[d][0]);
    for (int b = 1; b < 8; ++b) sum ^= masks[b] & operand(paired.at[d][b]);
    return d == 0 ? sum : turned < d == 0 ? 16 : d > (sum);
}

// L of a block that stands in both halves; each makes the terms of half of the turns.
[[gnu::always_inline]] inline __m128i transformed(__m256i x) {
    __m256i masks[8];
    for (int bit = 7; bit >= 0; --bit, x = _mm256_add_epi8(x, x))
        masks[bit] = _mm256_cmpgt_epi8(_mm256_setzero_si256(), x);
    const __m256i sum =
        ((group<0>(masks) ^ group<1>(masks)) ^ (group<2>(masks) ^ group<3>(masks))) ^
        ((group<4>(masks) ^ group<5>(masks)) ^ (group<6>(masks) ^ group<7>(masks)));
    return _mm256_castsi256_si128(sum ^ _mm256_permute4x64_epi64(sum, 0x1B));
}

// Rounds of one block by shuffles.
struct Shuffles {
    [[gnu::noinline]] static Sixteen round(Sixteen x) {
        return Sixteen(transformed(looked_up(_mm256_broadcastsi128_si256(__m128i(x)), forward)));
    }
    [[gnu::noinline]] static Sixteen round_back(Sixteen x) {
        const __m128i y = transformed(_mm256_broadcastsi128_si256(__m128i(x)));
        return Sixteen(_mm256_castsi256_si128(looked_up(_mm256_broadcastsi128_si256(y), backward)));
    }
};

struct Avx2 {
    using Vector [[gnu::vector_size(32)]] = std::uint64_t;
    using Rounds = Shuffles;
    using Product = CarrylessProduct<Avx2>;
    static constexpr std::size_t worth_a_batch = 33;

    [[gnu::always_inline]] static inline Vector all(std::uint32_t mask) {
        return Vector(_mm256_set1_epi32(static_cast<int>(mask)));
    }
    [[gnu::always_inline]] static inline Vector interleaved_low(Vector a, Vector b) {
        return Vector(_mm256_unpacklo_epi8(__m256i(a), __m256i(b)));
    }
    [[gnu::always_inline]] static inline Vector interleaved_high(Vector a, Vector b) {
        return Vector(_mm256_unpackhi_epi8(__m256i(a), __m256i(b)));
    }
};

}  // namespace
STEND_FOR_ANY

constexpr Engine avx2 =
    generic::engine_of<bitslice::Variant<Avx2>>("avx2", {isa::avx2, isa::pclmul}, true);

}  // namespace stend::gost::kuznyechik
#endif
