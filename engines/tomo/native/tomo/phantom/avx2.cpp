// The loops for AVX2.
#include "tomo/phantom/variants.h"

#if defined(__x86_64__)
#include <algorithm>
#include <cmath>
#include <numbers>

#include "isa/target.h"

STEND_FOR("avx2,fma")
#include "tomo/phantom/loops.h"

namespace stend::tomo::chords {

constinit const Variant avx2 = variant<struct Avx2>("avx2", {isa::avx2, isa::fma});

}  // namespace stend::tomo::chords
STEND_FOR_ANY
#endif
