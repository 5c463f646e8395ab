// The loops of every variant; variants.cpp lists them.
#pragma once

#include "kernels/stream/stream.h"

namespace stend::stream {

extern const Loops plain;
#if defined(__x86_64__)
extern const Loops nontemporal_sse2, nontemporal_avx2, nontemporal_avx512;
#endif

}  // namespace stend::stream
