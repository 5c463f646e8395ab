// The loops of every variant; variants.cpp lists them.
#pragma once

#include "kernels/bandwidth/bandwidth.h"

namespace stend::bandwidth {

struct Loops {
    Read read;
    Write write;
    Copy copy;
};

struct Stores {
    Write write;
    Copy copy;
};

extern const Loops plain;
#if defined(__x86_64__)
extern const Loops avx2, avx512;
extern const Stores nontemporal_sse2, nontemporal_avx2, nontemporal_avx512;
#endif

}  // namespace stend::bandwidth
