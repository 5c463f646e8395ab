// Cone beams, sixteen voxels or rows at a time.
#if defined(__x86_64__)
#include "isa/target.h"
#include "tomo/cone/kernels.h"

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,fma")
#include "tomo/cone/columns.h"
#include "tomo/lanes/avx512.h"

namespace stend::tomo::cone {
namespace {

struct Lanes : Avx512 {
    static constexpr double most_step = 1.9;  // 15 steps and a part of one reach the 31st at most

    STEND_INLINE static Float pick(const float* from, Int index) {
        return _mm512_permutex2var_ps(_mm512_loadu_ps(from), reinterpret_cast<__m512i>(index),
                                      _mm512_loadu_ps(from + 16));
    }
};

}  // namespace

constinit const Kernels avx512 = kernels<Lanes>("avx512", {isa::avx512, isa::fma});

}  // namespace stend::tomo::cone

STEND_FOR_ANY
#endif
