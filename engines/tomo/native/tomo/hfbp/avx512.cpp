// Thirty-two slices at once.
#if defined(__x86_64__)
#include <algorithm>
#include <array>
#include <cstring>

#include "buffers/buffer.h"
#include "isa/target.h"
#include "tomo/hfbp/layout.h"
#include "tomo/hfbp/variants.h"

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,fma")
#include "tomo/hfbp/strips_engine.h"
#include "tomo/lanes/avx512.h"

namespace stend::tomo::hfbp {
namespace {

struct Avx512Words {
    using Lanes = Avx512;
    static constexpr unsigned count = 32;
    typedef std::int16_t Word __attribute__((vector_size(64)));
    static constexpr float one = 32768;

    STEND_INLINE static Word product(Word a, Word b) {
        return reinterpret_cast<Word>(
            _mm512_mulhrs_epi16(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
    }
    STEND_INLINE static Word part(Word a, Word fraction) { return product(a, fraction); }
};

}  // namespace

std::unique_ptr<Engine> avx512(const Plan& plan, const Ladder& ladder) {
    return std::make_unique<StripsEngine<Avx512Words>>(plan, ladder);
}

}  // namespace stend::tomo::hfbp

STEND_FOR_ANY
#endif
