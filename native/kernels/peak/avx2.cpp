// AVX2 with FMA: fused steps of vectors of 32 bytes.
#if defined(__x86_64__)
#include <immintrin.h>

#include "isa/target.h"
#include "kernels/peak/variants.h"

STEND_FOR("avx2,fma")
#include "kernels/peak/chains.h"

namespace stend::peak {
namespace {

struct Doubles : Registers<double, 32, 12> {
    static constexpr Step first = Step::fused, second = first;
    static Vector step(Vector x, Vector factor, Vector term) {
        return _mm256_fmadd_pd(x, factor, term);
    }
};

struct Floats : Registers<float, 32, 12> {
    static constexpr Step first = Step::fused, second = first;
    static Vector step(Vector x, Vector factor, Vector term) {
        return _mm256_fmadd_ps(x, factor, term);
    }
};

struct Integers : Adding<Registers<std::uint32_t, 32, 12>> {};

}  // namespace

const Loops avx2 = loops<Doubles, Floats, Integers>;

}  // namespace stend::peak
STEND_FOR_ANY
#endif
