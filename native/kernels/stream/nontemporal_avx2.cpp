// Non-temporal stores of AVX2 vectors.
#if defined(__x86_64__)
#include <immintrin.h>

#include "isa/target.h"
#include "kernels/stream/variants.h"

STEND_FOR("avx2")
#include "kernels/stream/nontemporal.h"

namespace stend::stream {
namespace {

struct Lanes {
    using Vector = __m256d;
    static constexpr std::size_t width = 4;

    static Vector all(double value) { return _mm256_set1_pd(value); }
    static Vector load(const double* from) { return _mm256_load_pd(from); }
    static void stream(double* to, Vector value) { _mm256_stream_pd(to, value); }
};

}  // namespace

const Loops nontemporal_avx2 = walks<Lanes>;

}  // namespace stend::stream
STEND_FOR_ANY
#endif
