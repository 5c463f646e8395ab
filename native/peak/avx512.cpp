// AVX-512: fused steps of vectors of 64 bytes.
#if defined(__x86_64__)
#include <immintrin.h>

#include "isa/target.h"
#include "peak/variants.h"

STEND_FOR("avx512f")
#include "peak/chains.h"

namespace stend::peak {
namespace {

struct Doubles {
    using T = double;
    using Vector = __m512d;
    static constexpr std::size_t width = 8, chains = 16;
    static constexpr Step first = Step::fused, second = first;

    static Vector load(const T* from) { return _mm512_loadu_pd(from); }
    static void store(T* to, Vector x) { _mm512_storeu_pd(to, x); }
    static Vector all(T x) { return _mm512_set1_pd(x); }
    static void hide(Vector& x) { asm volatile("" : "+v"(x)); }
    static Vector step(Vector x, Vector factor, Vector term) {
        return _mm512_fmadd_pd(x, factor, term);
    }
};

struct Floats {
    using T = float;
    using Vector = __m512;
    static constexpr std::size_t width = 16, chains = 16;
    static constexpr Step first = Step::fused, second = first;

    static Vector load(const T* from) { return _mm512_loadu_ps(from); }
    static void store(T* to, Vector x) { _mm512_storeu_ps(to, x); }
    static Vector all(T x) { return _mm512_set1_ps(x); }
    static void hide(Vector& x) { asm volatile("" : "+v"(x)); }
    static Vector step(Vector x, Vector factor, Vector term) {
        return _mm512_fmadd_ps(x, factor, term);
    }
};

// Hidden after each step, or the compiler would add many terms at once.
struct Integers {
    using T = std::uint32_t;
    using Vector = __m512i;
    static constexpr std::size_t width = 16, chains = 16;
    static constexpr Step first = Step::add, second = first;

    static Vector load(const T* from) { return _mm512_loadu_si512(from); }
    static void store(T* to, Vector x) { _mm512_storeu_si512(to, x); }
    static Vector all(T x) { return _mm512_set1_epi32(static_cast<int>(x)); }
    static void hide(Vector& x) { asm volatile("" : "+v"(x)); }
    static Vector step(Vector x, Vector, Vector term) {
        x = _mm512_add_epi32(x, term);
        hide(x);
        return x;
    }
};

}  // namespace

const Loops avx512 = loops<Doubles, Floats, Integers>;

}  // namespace stend::peak
STEND_FOR_ANY
#endif
