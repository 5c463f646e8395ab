// AVX-512: fused steps of vectors of 64 bytes.
#if defined(__x86_64__)
#include <immintrin.h>

#include "isa/target.h"
#include "kernels/peak/variants.h"

STEND_FOR("avx512f")
#include "kernels/peak/chains.h"

namespace stend::peak {
namespace {

struct Doubles : Registers<double, 64, 16> {
    static constexpr Step first = Step::fused, second = first;
    static Vector step(Vector x, Vector factor, Vector term) {
        return _mm512_fmadd_pd(x, factor, term);
    }
};

struct Floats : Registers<float, 64, 16> {
    static constexpr Step first = Step::fused, second = first;
    static Vector step(Vector x, Vector factor, Vector term) {
        return _mm512_fmadd_ps(x, factor, term);
    }
};

struct Integers : Adding<Registers<std::uint32_t, 64, 16>> {};

}  // namespace

const Loops avx512 = loops<Doubles, Floats, Integers>;

}  // namespace stend::peak
STEND_FOR_ANY
#endif
