// Vectors of 64 bytes, a cache line each, stored into the caches or past them.
#if defined(__x86_64__)
#include <immintrin.h>

#include "bandwidth/variants.h"
#include "isa/target.h"

STEND_FOR("avx512f")
#include "bandwidth/loops.h"

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
    // Not by _mm512_reduce_add_epi64, of which gcc 12 believes that it reads what was never set.
    static Word sum(Vector value) {
        alignas(64) Word words[width];
        store(words, value);
        Word sum = 0;
        for (const Word word : words) sum += word;
        return sum;
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
const Write write_nontemporal = write_all<Past>;
const Copy copy_nontemporal = copy_all<Past>;

}  // namespace stend::bandwidth
STEND_FOR_ANY
#endif
