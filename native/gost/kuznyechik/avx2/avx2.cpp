// The variant avx2: 256 blocks as gates on vectors of 256 bits, in constant time.
#if defined(__x86_64__)
#include <new>
#include <utility>

#include "gost/kuznyechik/engine_of.h"
#include "gost/kuznyechik/variants.h"
#include "gost/x86/intrinsics.h"
#include "isa/target.h"

STEND_FOR("avx2,pclmul")
#include "gost/kuznyechik/bitslice/variant.h"
#include "gost/kuznyechik/carryless.h"

namespace stend::gost::kuznyechik {
namespace {

struct Avx2 {
    using Vector [[gnu::vector_size(32)]] = std::uint64_t;
    using Product = CarrylessProduct<Avx2>;
    static constexpr std::size_t worth_a_batch = 24;

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

constexpr Engine avx2 = engine_of<bitslice::Variant<Avx2>>("avx2", {isa::avx2, isa::pclmul}, true);

}  // namespace stend::gost::kuznyechik
#endif
