// Rebinning of sixteen slices at a time.
#if defined(__x86_64__)
#include "isa/target.h"
#include "tomo/fan/kernels.h"

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,fma")
#include "tomo/fan/rows.h"
#include "tomo/lanes/avx512.h"

namespace stend::tomo::fan {

constinit const Kernels avx512 = kernels<Avx512>("avx512", {isa::avx512, isa::fma});

}  // namespace stend::tomo::fan

STEND_FOR_ANY
#endif
