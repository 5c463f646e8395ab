// Non-temporal stores of SSE2 vectors.
#if defined(__x86_64__)
#include <immintrin.h>

#include "isa/target.h"
#include "kernels/stream/variants.h"

STEND_FOR("sse2")
#include "kernels/stream/nontemporal.h"

namespace stend::stream {
namespace {

struct Lanes {
    using Vector = __m128d;
    static constexpr std::size_t width = 2;

    static Vector all(double value) { return _mm_set1_pd(value); }
    static Vector load(const double* from) { return _mm_load_pd(from); }
    static void stream(double* to, Vector value) { _mm_stream_pd(to, value); }
};

}  // namespace

const Loops nontemporal_sse2 = walks<Lanes>;

}  // namespace stend::stream
STEND_FOR_ANY
#endif
