// Kuznyechik in plain C++ and constant time: 128 blocks as gates on vectors of two 64-bit words,
// which compilers make SSE2, NEON or plain registers of.
#include "gost/generic.h"
#include "gost/kuznyechik/bitslice/variant.h"
#include "gost/kuznyechik/variants.h"

namespace stend::gost::kuznyechik {
namespace {

struct Portable {
    using Vector [[gnu::vector_size(16)]] = std::uint64_t;
    using Rounds = bitslice::Gates<Portable>;
    using Product = PlainProduct;
    static constexpr std::size_t worth_a_batch = 11;

    [[gnu::always_inline]] static inline Vector all(std::uint32_t mask) {
        using Words [[gnu::vector_size(16)]] = std::uint32_t;
        return Vector(Words{mask, mask, mask, mask});
    }
    [[gnu::always_inline]] static inline Vector interleaved_low(Vector a, Vector b) {
        using bitslice::Sixteen, bitslice::mixed;
        return Vector(
            mixed<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(Sixteen(a), Sixteen(b)));
    }
    [[gnu::always_inline]] static inline Vector interleaved_high(Vector a, Vector b) {
        using bitslice::Sixteen, bitslice::mixed;
        return Vector(mixed<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(
            Sixteen(a), Sixteen(b)));
    }
};

}  // namespace

constexpr Engine portable = generic::engine_of<bitslice::Variant<Portable>>("portable", {}, true);

}  // namespace stend::gost::kuznyechik
