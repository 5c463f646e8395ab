// Our LU with AVX-512: tiles of 24 x 8, 24 of the 32 registers.
#if defined(__x86_64__)
#include <immintrin.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "isa/target.h"
#include "kernels/linpack/own_method.h"

#if defined(__clang__)  // which has no such attribute, and asks for nothing of the kind
STEND_FOR("avx512f,avx512dq,avx512vl")
#else
STEND_FOR("avx512f,avx512dq,avx512vl,prefer-vector-width=512")
#endif
#include "kernels/linpack/own_update.h"

namespace stend::linpack {
namespace {

struct Lanes {
    using Vector = __m512d;
    using Bits = __m512i;
    static constexpr int width = 8, vectors = 3, columns = 8, turn = 2;

    STEND_INLINE static Vector all(double value) { return _mm512_set1_pd(value); }
    STEND_INLINE static Bits numbers() { return Bits{0, 1, 2, 3, 4, 5, 6, 7}; }
    STEND_INLINE static Vector minus_product(Vector c, Vector a, Vector b) {
        return _mm512_fnmadd_pd(a, b, c);
    }
};

}  // namespace

const OwnMethod own_avx512 = own_method<Lanes>;

}  // namespace stend::linpack
STEND_FOR_ANY
#endif
