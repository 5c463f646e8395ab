// Sixteen slices at once.
#if defined(__x86_64__)
#include <immintrin.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "buffers/buffer.h"
#include "isa/target.h"
#include "tomo/hfbp/layout.h"
#include "tomo/hfbp/variants.h"

STEND_FOR("avx2,fma")
#include "tomo/hfbp/strips_engine.h"
#include "tomo/lanes/avx2.h"

namespace stend::tomo::hfbp {
namespace {

struct Avx2Words {
    using Lanes = Avx2;
    static constexpr unsigned count = 16;
    typedef std::int16_t Word __attribute__((vector_size(32)));
    static constexpr float one = 32768;

    STEND_INLINE static Word product(Word a, Word b) {
        return reinterpret_cast<Word>(
            _mm256_mulhrs_epi16(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
    }
    STEND_INLINE static Word part(Word a, Word fraction) { return product(a, fraction); }
};

}  // namespace

std::unique_ptr<Engine> avx2(const Plan& plan, const Ladder& ladder) {
    return std::make_unique<StripsEngine<Avx2Words>>(plan, ladder);
}

}  // namespace stend::tomo::hfbp

STEND_FOR_ANY
#endif
