// Stores past the caches, 16 bytes each; four of them fill a write-combining buffer. Wider
// ones are no faster (README.md).
#if defined(__x86_64__)
#include <emmintrin.h>

#include "kernels/memory/fills.h"

namespace stend::memory {

void nontemporal_sse2(std::span<std::uint64_t> block, std::uint64_t seed) noexcept {
    const auto first = static_cast<long long>(seed);
    __m128i words = _mm_set_epi64x(first + 1, first);
    const __m128i step = _mm_set1_epi64x(2);
    for (std::size_t i = 0; i < block.size(); i += 2) {
        _mm_stream_si128(reinterpret_cast<__m128i*>(block.data() + i), words);
        words = _mm_add_epi64(words, step);
    }
    _mm_sfence();
}

}  // namespace stend::memory
#endif
