// Vectors of 32 bytes.
#if defined(__x86_64__)
#include <immintrin.h>

#include "bandwidth/variants.h"
#include "isa/target.h"

STEND_FOR("avx2")
#include "bandwidth/loops.h"

namespace stend::bandwidth {
namespace {

struct Lanes {
    using Vector = __m256i;
    static constexpr std::size_t width = 4;

    static Vector all(Word value) { return _mm256_set1_epi64x(static_cast<long long>(value)); }
    static Vector from(Word first) { return add(all(first), _mm256_set_epi64x(3, 2, 1, 0)); }
    static Vector add(Vector x, Vector y) { return _mm256_add_epi64(x, y); }
    static Vector load(const Word* at) {
        return _mm256_load_si256(reinterpret_cast<const Vector*>(at));
    }
    static void store(Word* at, Vector value) {
        _mm256_store_si256(reinterpret_cast<Vector*>(at), value);
    }
    static Word sum(Vector value) {
        alignas(32) Word words[width];
        store(words, value);
        return words[0] + words[1] + words[2] + words[3];
    }
    static void done() {}
};

}  // namespace

const Loops avx2 = loops<Lanes>;

}  // namespace stend::bandwidth
STEND_FOR_ANY
#endif
