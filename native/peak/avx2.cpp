// AVX2 with FMA: fused steps of vectors of 32 bytes.
#if defined(__x86_64__)
#include <immintrin.h>

#include "isa/target.h"
#include "peak/variants.h"

STEND_FOR("avx2,fma")
#include "peak/chains.h"

namespace stend::peak {
namespace {

struct Doubles {
    using T = double;
    using Vector = __m256d;
    static constexpr std::size_t width = 4, chains = 12;
    static constexpr Step first = Step::fused, second = first;

    static Vector load(const T* from) { return _mm256_loadu_pd(from); }
    static void store(T* to, Vector x) { _mm256_storeu_pd(to, x); }
    static Vector all(T x) { return _mm256_set1_pd(x); }
    static void hide(Vector& x) { asm volatile("" : "+x"(x)); }
    static Vector step(Vector x, Vector factor, Vector term) {
        return _mm256_fmadd_pd(x, factor, term);
    }
};

struct Floats {
    using T = float;
    using Vector = __m256;
    static constexpr std::size_t width = 8, chains = 12;
    static constexpr Step first = Step::fused, second = first;

    static Vector load(const T* from) { return _mm256_loadu_ps(from); }
    static void store(T* to, Vector x) { _mm256_storeu_ps(to, x); }
    static Vector all(T x) { return _mm256_set1_ps(x); }
    static void hide(Vector& x) { asm volatile("" : "+x"(x)); }
    static Vector step(Vector x, Vector factor, Vector term) {
        return _mm256_fmadd_ps(x, factor, term);
    }
};

// Hidden after each step, or the compiler would add many terms at once.
struct Integers {
    using T = std::uint32_t;
    using Vector = __m256i;
    static constexpr std::size_t width = 8, chains = 12;
    static constexpr Step first = Step::add, second = first;

    static Vector load(const T* from) {
        return _mm256_loadu_si256(reinterpret_cast<const Vector*>(from));
    }
    static void store(T* to, Vector x) { _mm256_storeu_si256(reinterpret_cast<Vector*>(to), x); }
    static Vector all(T x) { return _mm256_set1_epi32(static_cast<int>(x)); }
    static void hide(Vector& x) { asm volatile("" : "+x"(x)); }
    static Vector step(Vector x, Vector, Vector term) {
        x = _mm256_add_epi32(x, term);
        hide(x);
        return x;
    }
};

}  // namespace

const Loops avx2 = loops<Doubles, Floats, Integers>;

}  // namespace stend::peak
STEND_FOR_ANY
#endif
