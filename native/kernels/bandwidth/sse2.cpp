// Vectors of 16 bytes, stored past the caches; those stored into them are the plain loops.
#if defined(__x86_64__)
#include <immintrin.h>

#include "isa/target.h"
#include "kernels/bandwidth/variants.h"

STEND_FOR("sse2")
#include "kernels/bandwidth/loops.h"

namespace stend::bandwidth {
namespace {

struct Past {
    using Vector = __m128i;
    static constexpr std::size_t width = 2;

    static Vector all(Word value) { return _mm_set1_epi64x(static_cast<long long>(value)); }
    static Vector from(Word first) { return add(all(first), _mm_set_epi64x(1, 0)); }
    static Vector add(Vector x, Vector y) { return _mm_add_epi64(x, y); }
    static Vector load(const Word* at) {
        return _mm_load_si128(reinterpret_cast<const Vector*>(at));
    }
    static void store(Word* at, Vector value) {
        _mm_stream_si128(reinterpret_cast<Vector*>(at), value);
    }
    static void done() { _mm_sfence(); }
};

}  // namespace

const Stores nontemporal_sse2 = stores<Past>;

}  // namespace stend::bandwidth
STEND_FOR_ANY
#endif
