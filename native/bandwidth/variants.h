// The loops of every variant; variants.cpp lists them.
#pragma once

#include "bandwidth/bandwidth.h"

namespace stend::bandwidth {

struct Loops {
    Read read;
    Write write;
    Copy copy;
};

extern const Loops plain;
#if defined(__x86_64__)
extern const Loops avx2, avx512;
extern const Write write_nontemporal;
extern const Copy copy_nontemporal;
#endif

}  // namespace stend::bandwidth
