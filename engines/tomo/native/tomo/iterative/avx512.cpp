// Projections of sixteen slices at a time.
#if defined(__x86_64__)
#include "isa/target.h"
#include "tomo/iterative/kernels.h"

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,fma")
#include "tomo/iterative/joseph.h"
#include "tomo/lanes/avx512.h"

namespace stend::tomo::iterative {

constinit const Kernels avx512 = kernels<Avx512>("avx512", {isa::avx512, isa::fma});

}  // namespace stend::tomo::iterative

STEND_FOR_ANY
#endif
