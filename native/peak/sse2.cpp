// SSE2: a multiplication and an addition of vectors of 16 bytes, since it has no fused one.
#if defined(__x86_64__)
#include <immintrin.h>

#include "isa/target.h"
#include "peak/variants.h"

STEND_FOR("sse2")
#include "peak/chains.h"

namespace stend::peak {
namespace {

// Volatile between the two: they must stay two, also in a build for processors that can fuse.
struct Doubles {
    using T = double;
    using Vector = __m128d;
    static constexpr std::size_t width = 2, chains = 14;
    static constexpr Step kind = Step::separate;

    static Vector load(const T* from) { return _mm_loadu_pd(from); }
    static void store(T* to, Vector x) { _mm_storeu_pd(to, x); }
    static Vector all(T x) { return _mm_set1_pd(x); }
    static void hide(Vector& x) { asm volatile("" : "+x"(x)); }
    static Vector step(Vector x, Vector factor, Vector term) {
        x = _mm_mul_pd(x, factor);
        hide(x);
        return _mm_add_pd(x, term);
    }
};

struct Floats {
    using T = float;
    using Vector = __m128;
    static constexpr std::size_t width = 4, chains = 14;
    static constexpr Step kind = Step::separate;

    static Vector load(const T* from) { return _mm_loadu_ps(from); }
    static void store(T* to, Vector x) { _mm_storeu_ps(to, x); }
    static Vector all(T x) { return _mm_set1_ps(x); }
    static void hide(Vector& x) { asm volatile("" : "+x"(x)); }
    static Vector step(Vector x, Vector factor, Vector term) {
        x = _mm_mul_ps(x, factor);
        hide(x);
        return _mm_add_ps(x, term);
    }
};

// Hidden after each step, or the compiler would add many terms at once.
struct Integers {
    using T = std::uint32_t;
    using Vector = __m128i;
    static constexpr std::size_t width = 4, chains = 14;
    static constexpr Step kind = Step::add;

    static Vector load(const T* from) {
        return _mm_loadu_si128(reinterpret_cast<const Vector*>(from));
    }
    static void store(T* to, Vector x) { _mm_storeu_si128(reinterpret_cast<Vector*>(to), x); }
    static Vector all(T x) { return _mm_set1_epi32(static_cast<int>(x)); }
    static void hide(Vector& x) { asm volatile("" : "+x"(x)); }
    static Vector step(Vector x, Vector, Vector term) {
        x = _mm_add_epi32(x, term);
        hide(x);
        return x;
    }
};

}  // namespace

const Loops sse2{chains<Doubles>, chains<Floats>, chains<Integers>};

}  // namespace stend::peak
STEND_FOR_ANY
#endif
