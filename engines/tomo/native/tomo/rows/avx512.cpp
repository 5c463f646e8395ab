// Thirty-two rows at a time through the filter.
#if defined(__x86_64__)
#include "isa/target.h"
#include "tomo/rows/kernels.h"

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,fma")
#include "tomo/lanes/avx512.h"
#include "tomo/rows/in_lanes.h"

namespace stend::tomo::rows {

constinit const Kernels avx512 = kernels<Avx512>("avx512", {isa::avx512, isa::fma});

}  // namespace stend::tomo::rows

STEND_FOR_ANY
#endif
