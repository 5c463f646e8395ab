// Vectors of 32 bytes, stored into the caches or past them.
#if defined(__x86_64__)
#include <immintrin.h>

#include "isa/target.h"
#include "kernels/bandwidth/variants.h"

STEND_FOR("avx2")
#include "kernels/bandwidth/loops.h"

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
    static Vector differ(Vector x, Vector y, Vector z) {
        return _mm256_xor_si256(_mm256_xor_si256(x, y), z);
    }
    static Word parity(Vector value) {
        const __m128i two =
            _mm_xor_si128(_mm256_castsi256_si128(value), _mm256_extracti128_si256(value, 1));
        return static_cast<Word>(_mm_cvtsi128_si64(two) ^ _mm_extract_epi64(two, 1));
    }
    static void done() {}
};

// Lines that are not read before they are written and leave no copy in the caches.
struct Past : Lanes {
    static void store(Word* at, Vector value) {
        _mm256_stream_si256(reinterpret_cast<Vector*>(at), value);
    }
    static void done() { _mm_sfence(); }
};

}  // namespace

const Loops avx2 = loops<Lanes>;
const Stores nontemporal_avx2 = stores<Past>;

}  // namespace stend::bandwidth
STEND_FOR_ANY
#endif
