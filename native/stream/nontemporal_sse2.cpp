// Non-temporal stores of SSE2 vectors.
#if defined(__x86_64__)
#include <immintrin.h>

#include "stream/variants.h"

#pragma GCC push_options
#pragma GCC target("sse2")
#include "stream/nontemporal.h"

namespace stend::stream {
namespace {

struct Lanes {
    using Vector = __m128d;
    static constexpr std::size_t width = 2;

    static Vector all(double value) { return _mm_set1_pd(value); }
    static Vector load(const double* from) { return _mm_load_pd(from); }
    static void stream(double* to, Vector value) { _mm_stream_pd(to, value); }
    // gcc 12 takes a function that only prefetches for one without effect and drops the calls,
    // unless it is inlined before it is looked at.
    [[gnu::always_inline]] static void prefetch(const double* from) {
        _mm_prefetch(from, _MM_HINT_T1);
    }
    static void fence() { _mm_sfence(); }
};

}  // namespace

const Loops nontemporal_sse2 = walks<Lanes>;

}  // namespace stend::stream
#pragma GCC pop_options
#endif
