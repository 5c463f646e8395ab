// SSE2: vectors of 16 bytes. It has no fused instruction, so half of the chains multiply and half
// add, which the units for both can do at the same time (README.md).
#if defined(__x86_64__)
#include <immintrin.h>

#include "isa/target.h"
#include "peak/variants.h"

STEND_FOR("sse2")
#include "peak/chains.h"

namespace stend::peak {
namespace {

struct Doubles {
    using T = double;
    using Vector = __m128d;
    static constexpr std::size_t width = 2, chains = 14;
    static constexpr Step first = Step::multiply, second = Step::add;

    static Vector load(const T* from) { return _mm_loadu_pd(from); }
    static void store(T* to, Vector x) { _mm_storeu_pd(to, x); }
    static Vector all(T x) { return _mm_set1_pd(x); }
    static void hide(Vector& x) { asm volatile("" : "+x"(x)); }
    static Vector step(Vector x, Vector factor, Vector) {
        x = _mm_mul_pd(x, factor);
        hide(x);
        return x;
    }
    static Vector other(Vector x, Vector, Vector term) {
        x = _mm_add_pd(x, term);
        hide(x);
        return x;
    }
};

struct Floats {
    using T = float;
    using Vector = __m128;
    static constexpr std::size_t width = 4, chains = 14;
    static constexpr Step first = Step::multiply, second = Step::add;

    static Vector load(const T* from) { return _mm_loadu_ps(from); }
    static void store(T* to, Vector x) { _mm_storeu_ps(to, x); }
    static Vector all(T x) { return _mm_set1_ps(x); }
    static void hide(Vector& x) { asm volatile("" : "+x"(x)); }
    static Vector step(Vector x, Vector factor, Vector) {
        x = _mm_mul_ps(x, factor);
        hide(x);
        return x;
    }
    static Vector other(Vector x, Vector, Vector term) {
        x = _mm_add_ps(x, term);
        hide(x);
        return x;
    }
};

// Hidden after each step, or the compiler would add many terms at once.
struct Integers {
    using T = std::uint32_t;
    using Vector = __m128i;
    static constexpr std::size_t width = 4, chains = 14;
    static constexpr Step first = Step::add, second = first;

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

const Loops sse2 = loops<Doubles, Floats, Integers>;

}  // namespace stend::peak
STEND_FOR_ANY
#endif
