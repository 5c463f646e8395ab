// Sixteen rows at a time through the filter.
#if defined(__x86_64__)
#include "isa/target.h"
#include "tomo/rows/kernels.h"

STEND_FOR("avx2,fma")
#include "tomo/lanes/avx2.h"
#include "tomo/rows/in_lanes.h"

namespace stend::tomo::rows {

constinit const Kernels avx2 = kernels<Avx2>("avx2", {isa::avx2, isa::fma});

}  // namespace stend::tomo::rows

STEND_FOR_ANY
#endif
