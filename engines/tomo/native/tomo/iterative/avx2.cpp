// Projections of eight slices at a time.
#if defined(__x86_64__)
#include "isa/target.h"
#include "tomo/iterative/kernels.h"

STEND_FOR("avx2,fma")
#include "tomo/iterative/joseph.h"
#include "tomo/lanes/avx2.h"

namespace stend::tomo::iterative {

constinit const Kernels avx2 = kernels<Avx2>("avx2", {isa::avx2, isa::fma});

}  // namespace stend::tomo::iterative

STEND_FOR_ANY
#endif
