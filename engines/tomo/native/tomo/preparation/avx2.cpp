// The kernels of preparation for AVX2 and FMA.
#if defined(__x86_64__)

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "isa/target.h"
#include "tomo/preparation/kernels.h"

STEND_FOR("avx2,fma")

#include "tomo/lanes/avx2.h"

namespace stend::tomo::preparation {
namespace {
#include "tomo/preparation/rows.h"
#include "tomo/preparation/sorting.h"
}  // namespace

constinit const Kernels avx2{"avx2",           {isa::avx2, isa::fma},  normalize<std::uint16_t>,
                             normalize<float>, zingers<std::uint16_t>, zingers<float>,
                             stripes<Avx2>};

}  // namespace stend::tomo::preparation

STEND_FOR_ANY

#endif
