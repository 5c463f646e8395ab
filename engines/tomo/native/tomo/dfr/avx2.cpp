// Direct Fourier reconstruction in eight lanes.
#if defined(__x86_64__)
#include <immintrin.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "isa/target.h"
#include "tomo/dfr/tables.h"
#include "tomo/dfr/variants.h"
#include "tomo/fft/plan.h"

STEND_FOR("avx2,fma")
#include "tomo/dfr/stages.h"
#include "tomo/lanes/avx2.h"

namespace stend::tomo::dfr {

std::unique_ptr<Engine> avx2(const Plan& plan) {
    return std::make_unique<InLanes<Avx2>>(plan);
}

}  // namespace stend::tomo::dfr

STEND_FOR_ANY
#endif
