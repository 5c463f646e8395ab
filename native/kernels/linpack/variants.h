// The plain algorithm of every instruction set; variants.cpp lists them.
#pragma once

#include "kernels/linpack/linpack.h"

namespace stend::linpack {

extern const Plain plain_any;
#if defined(__x86_64__)
extern const Plain plain_avx2, plain_avx512;
#endif

}  // namespace stend::linpack
