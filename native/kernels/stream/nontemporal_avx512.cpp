// Non-temporal stores of AVX-512 vectors.
#if defined(__x86_64__)
#include <immintrin.h>

#include "isa/target.h"
#include "kernels/stream/variants.h"

STEND_FOR("avx512f")
#include "kernels/stream/nontemporal.h"

namespace stend::stream {
namespace {

struct Lanes {
    using Vector = __m512d;
    static constexpr std::size_t width = 8;

    static Vector all(double value) { return _mm512_set1_pd(value); }
    static Vector load(const double* from) { return _mm512_load_pd(from); }
    static void stream(double* to, Vector value) { _mm512_stream_pd(to, value); }
};

}  // namespace

const Loops nontemporal_avx512 = walks<Lanes>;

}  // namespace stend::stream
STEND_FOR_ANY
#endif
