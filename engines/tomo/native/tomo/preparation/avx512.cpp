// The kernels of preparation for AVX-512.
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

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,fma")

#include "tomo/lanes/avx512.h"

namespace stend::tomo::preparation {
namespace {
#include "tomo/preparation/rows.h"
#include "tomo/preparation/sorting.h"
}  // namespace

constinit const Kernels avx512{"avx512",         {isa::avx512, isa::fma}, normalize<std::uint16_t>,
                               normalize<float>, zingers<std::uint16_t>,  zingers<float>,
                               stripes<Avx512>};

}  // namespace stend::tomo::preparation

STEND_FOR_ANY

#endif
