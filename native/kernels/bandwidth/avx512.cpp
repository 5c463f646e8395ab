// Vectors of 64 bytes, a cache line each, stored into the caches or past them.
#if defined(__x86_64__)
#include <immintrin.h>

#include "isa/target.h"
#include "kernels/bandwidth/variants.h"

STEND_FOR("avx512f")
#include "kernels/bandwidth/loops.h"

namespace stend::bandwidth {
namespace {

struct Lanes {
    using Vector = __m512i;
    static constexpr std::size_t width = 8;

    static Vector all(Word value) { return _mm512_set1_epi64(static_cast<long long>(value)); }
    static Vector from(Word first) {
        return add(all(first), _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0));
    }
    static Vector add(Vector x, Vector y) { return _mm512_add_epi64(x, y); }
    static Vector load(const Word* at) { return _mm512_load_si512(at); }
    static void store(Word* at, Vector value) { _mm512_store_si512(at, value); }
    // 0x96: the parity of three bits.
    static Vector differ(Vector x, Vector y, Vector z) {
        return _mm512_ternarylogic_epi64(x, y, z, 0x96);
    }
    static Word parity(Vector value) {
        const __m256i half = _mm256_xor_si256(_mm512_maskz_extracti64x4_epi64(0xFF, value, 0),
                                              _mm512_maskz_extracti64x4_epi64(0xFF, value, 1));
        const __m128i two =
            _mm_xor_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
        return static_cast<Word>(_mm_cvtsi128_si64(two) ^ _mm_extract_epi64(two, 1));
    }
    static void done() {}
};

// Lines that are not read before they are written and leave no copy in the caches.
struct Past : Lanes {
    static void store(Word* at, Vector value) {
        _mm512_stream_si512(reinterpret_cast<Vector*>(at), value);
    }
    static void done() { _mm_sfence(); }
};

}  // namespace

const Loops avx512 = loops<Lanes>;
const Stores nontemporal_avx512 = stores<Past>;

}  // namespace stend::bandwidth
STEND_FOR_ANY
#endif
