// Direct Fourier reconstruction in sixteen lanes; its halfway image in floats or in halves.
#if defined(__x86_64__)
#include <algorithm>
#include <bit>
#include <cstring>

#include "isa/target.h"
#include "tomo/dfr/tables.h"
#include "tomo/dfr/variants.h"
#include "tomo/fft/plan.h"

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,fma")
#include "tomo/dfr/stages.h"
#include "tomo/lanes/avx512.h"

namespace stend::tomo::dfr {

std::unique_ptr<Engine> avx512(const Plan& plan) {
    return std::make_unique<InLanes<Avx512>>(plan);
}

std::unique_ptr<Engine> half_avx512(const Plan& plan) {
    return std::make_unique<InLanes<Avx512, Halves<Avx512>>>(plan);
}

}  // namespace stend::tomo::dfr

STEND_FOR_ANY
#endif
