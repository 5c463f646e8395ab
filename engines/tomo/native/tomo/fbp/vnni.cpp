// Sixteen lanes with dot products in one instruction.
#if defined(__x86_64__)
#include "buffers/buffer.h"
#include "isa/target.h"
#include "tomo/fbp/geometry.h"
#include "tomo/fbp/scales.h"
#include "tomo/fbp/variants.h"
#include "tomo/filter.h"

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,fma,bmi2")

#include "tomo/fbp/back_projection.h"
#include "tomo/lanes/avx512.h"

namespace stend::tomo::fbp {

namespace {

struct Vnni : Avx512 {
    STEND_INLINE static Int dot(Int sum, Int pairs, Int weights) {
        return reinterpret_cast<Int>(_mm512_dpwssd_epi32(reinterpret_cast<__m512i>(sum),
                                                         reinterpret_cast<__m512i>(pairs),
                                                         reinterpret_cast<__m512i>(weights)));
    }
};

}  // namespace

std::unique_ptr<Engine> int16_vnni(const Plan& plan) {
    return std::make_unique<BackProjection<Int16<Vnni, 2, 8>>>(plan);
}

}  // namespace stend::tomo::fbp

STEND_FOR_ANY
#endif
