// Cone beams, eight voxels or rows at a time.
#if defined(__x86_64__)
#include "isa/target.h"
#include "tomo/cone/kernels.h"

STEND_FOR("avx2,fma")
#include "tomo/cone/columns.h"
#include "tomo/lanes/avx2.h"

namespace stend::tomo::cone {
namespace {

struct Lanes : Avx2 {
    static constexpr double most_step = 1.9;  // 7 steps and a part of one reach the 15th at most

    STEND_INLINE static Float pick(const float* from, Int index) {
        const auto i = reinterpret_cast<__m256i>(index);
        const __m256 low = _mm256_permutevar8x32_ps(_mm256_loadu_ps(from), i);
        const __m256 high = _mm256_permutevar8x32_ps(_mm256_loadu_ps(from + 8), i);
        return _mm256_blendv_ps(low, high, _mm256_castsi256_ps(_mm256_slli_epi32(i, 28)));
    }
};

}  // namespace

constinit const Kernels avx2 = kernels<Lanes>("avx2", {isa::avx2, isa::fma});

}  // namespace stend::tomo::cone

STEND_FOR_ANY
#endif
