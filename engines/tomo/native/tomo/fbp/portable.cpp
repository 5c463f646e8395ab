// Four lanes of any machine, two vectors of slices.
#include "tomo/lanes/portable.h"

#include "buffers/buffer.h"
#include "tomo/fbp/back_projection.h"
#include "tomo/fbp/float32.h"
#include "tomo/fbp/geometry.h"
#include "tomo/fbp/scales.h"
#include "tomo/fbp/variants.h"
#include "tomo/filter.h"

namespace stend::tomo::fbp {

namespace {

struct Words : Portable {
    STEND_INLINE static Int dot(Int sum, Int pairs, Int weights) {
#if defined(__x86_64__)
        return sum + reinterpret_cast<Int>(_mm_madd_epi16(reinterpret_cast<__m128i>(pairs),
                                                          reinterpret_cast<__m128i>(weights)));
#else
        return sum + (pairs << 16 >> 16) * (weights & 0xffff) + (pairs >> 16) * (weights >> 16);
#endif
    }
};

}  // namespace

std::unique_ptr<Engine> portable(const Plan& plan) {
    return std::make_unique<BackProjection<Float32<Portable, 2, 4, 8>>>(plan);
}

std::unique_ptr<Engine> int16_portable(const Plan& plan) {
    return std::make_unique<BackProjection<Int16<Words, 2, 4, 8>>>(plan);
}

}  // namespace stend::tomo::fbp
