// Our LU with AVX2 and FMA: tiles of 12 x 4, 12 of the 16 registers.
#if defined(__x86_64__)
#include <immintrin.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "isa/target.h"
#include "kernels/linpack/own_method.h"

STEND_FOR("avx2,fma")
#include "kernels/linpack/own_update.h"

namespace stend::linpack {
namespace {

struct Lanes {
    using Vector = __m256d;
    using Bits = __m256i;
    static constexpr int width = 4, vectors = 3, columns = 4, turn = 1;

    STEND_INLINE static Vector all(double value) { return _mm256_set1_pd(value); }
    STEND_INLINE static Bits numbers() { return Bits{0, 1, 2, 3}; }
    STEND_INLINE static Vector minus_product(Vector c, Vector a, Vector b) {
        return _mm256_fnmadd_pd(a, b, c);
    }
};

}  // namespace

const OwnMethod own_avx2 = own_method<Lanes>;

}  // namespace stend::linpack
STEND_FOR_ANY
#endif
