// Sixteen lanes, two vectors of slices.
#if defined(__x86_64__)
#include "buffers/buffer.h"
#include "isa/target.h"
#include "tomo/fbp/geometry.h"
#include "tomo/fbp/scales.h"
#include "tomo/fbp/variants.h"
#include "tomo/filter.h"

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,fma,bmi2")

#include "tomo/fbp/back_projection.h"
#include "tomo/fbp/float32.h"
#include "tomo/lanes/avx512.h"

namespace stend::tomo::fbp {

namespace {

struct Words : Avx512 {
    STEND_INLINE static Int dot(Int sum, Int pairs, Int weights) {
        return sum + reinterpret_cast<Int>(_mm512_madd_epi16(reinterpret_cast<__m512i>(pairs),
                                                             reinterpret_cast<__m512i>(weights)));
    }
};

}  // namespace

std::unique_ptr<Engine> avx512(const Plan& plan) {
    return std::make_unique<BackProjection<Float32<Avx512, 2, 8>>>(plan);
}

std::unique_ptr<Engine> int16_avx512(const Plan& plan) {
    return std::make_unique<BackProjection<Int16<Words, 2, 8>>>(plan);
}

}  // namespace stend::tomo::fbp

STEND_FOR_ANY
#endif
