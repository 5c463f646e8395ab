// The chains of every variant; variants.cpp lists them. Includes what chains.h needs, so that
// nothing of it is compiled for one variant's instructions.
#pragma once

#include <type_traits>
#include <utility>

#include "clock/chain.h"
#include "kernels/peak/formula.h"
#include "kernels/peak/peak.h"

namespace stend::peak {

extern const Loops scalar;
#if defined(__x86_64__)
extern const Loops sse2, avx2, avx512;
#elif defined(__aarch64__)
extern const Loops neon;
#if defined(__linux__)
extern const Loops sve;
#endif
#endif

}  // namespace stend::peak
