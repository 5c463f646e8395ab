// The loops for AVX-512.
#include "tomo/phantom/variants.h"

#if defined(__x86_64__)
#include <algorithm>
#include <cmath>
#include <numbers>

#include "isa/target.h"

STEND_FOR("avx512f,avx512dq,avx512vl,fma,prefer-vector-width=512")
#include "tomo/phantom/loops.h"

namespace stend::tomo::chords {

constinit const Variant avx512 = variant<struct Avx512>("avx512", {isa::avx512, isa::fma});

}  // namespace stend::tomo::chords
STEND_FOR_ANY
#endif
