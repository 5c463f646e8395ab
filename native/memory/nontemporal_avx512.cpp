// Stores past the caches, a whole line each.
#if defined(__x86_64__)
#include <immintrin.h>

#include "memory/fills.h"

namespace stend::memory {

[[gnu::target("avx512f")]] void nontemporal_avx512(std::span<std::uint64_t> block,
                                                   std::uint64_t seed) noexcept {
    const __m512i lanes = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
    __m512i words = _mm512_add_epi64(_mm512_set1_epi64(static_cast<long long>(seed)), lanes);
    const __m512i step = _mm512_set1_epi64(8);
    for (std::size_t i = 0; i < block.size(); i += 8) {
        _mm512_stream_si512(reinterpret_cast<__m512i*>(block.data() + i), words);
        words = _mm512_add_epi64(words, step);
    }
    _mm_sfence();
}

}  // namespace stend::memory
#endif
