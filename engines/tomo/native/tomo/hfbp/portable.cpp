// Eight slices at once, on any processor.
#include "tomo/lanes/portable.h"

#include <algorithm>

#include "buffers/buffer.h"
#include "tomo/hfbp/layout.h"
#include "tomo/hfbp/strips_engine.h"
#include "tomo/hfbp/variants.h"

namespace stend::tomo::hfbp {
namespace {

struct PortableWords {
    using Lanes = Portable;
    static constexpr unsigned count = 8;
    typedef std::int16_t Word __attribute__((vector_size(16)));
    static constexpr float one = 65536;

#if defined(__x86_64__)
    STEND_INLINE static Word product(Word a, Word b) {
        const auto x = reinterpret_cast<__m128i>(a), y = reinterpret_cast<__m128i>(b);
        const __m128i half = _mm_srli_epi16(_mm_mullo_epi16(x, y), 15);
        return reinterpret_cast<Word>(_mm_add_epi16(_mm_mulhi_epi16(x, y), half));
    }
    STEND_INLINE static Word part(Word a, Word fraction) {
        const auto high = reinterpret_cast<Word>(
            _mm_mulhi_epi16(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(fraction)));
        return high + high;
    }
#else
    typedef std::int32_t Wide __attribute__((vector_size(32)));

    STEND_INLINE static Word product(Word a, Word b) {
        const Wide exact = __builtin_convertvector(a, Wide) * __builtin_convertvector(b, Wide);
        return __builtin_convertvector((exact + 32768) >> 16, Word);
    }
    STEND_INLINE static Word part(Word a, Word fraction) {
        const Wide exact =
            __builtin_convertvector(a, Wide) * __builtin_convertvector(fraction, Wide);
        return __builtin_convertvector(exact >> 15, Word);
    }
#endif
};

}  // namespace

std::unique_ptr<Engine> portable(const Plan& plan, const Ladder& ladder) {
    return std::make_unique<StripsEngine<PortableWords>>(plan, ladder);
}

}  // namespace stend::tomo::hfbp
