// Our LU in vectors of 16 bytes, which every compiler turns into SSE2 or NEON, or into scalars
// where the architecture has neither: tiles of 4 x 4, or 8 x 4 with the 32 registers of AArch64.
#if defined(__aarch64__)
#include <arm_neon.h>
#endif

#include "kernels/linpack/own_update.h"

namespace stend::linpack {
namespace {

struct Lanes {
    using Vector [[gnu::vector_size(16)]] = double;
    using Bits [[gnu::vector_size(16)]] = std::int64_t;
    static constexpr int width = 2, columns = 4, turn = 1;
#if defined(__aarch64__)
    static constexpr int vectors = 4;
#else
    static constexpr int vectors = 2;
#endif

    STEND_INLINE static Vector all(double value) { return Vector{value, value}; }
    STEND_INLINE static Bits numbers() { return Bits{0, 1}; }
    STEND_INLINE static Vector minus_product(Vector c, Vector a, Vector b) {
#if defined(__aarch64__)
        return vfmsq_f64(c, a, b);
#else
        return c - a * b;
#endif
    }
};

}  // namespace

const OwnMethod own_portable = own_method<Lanes>;

}  // namespace stend::linpack
