// The kernels of preparation for any processor of the architecture.
#include "tomo/lanes/portable.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "tomo/preparation/kernels.h"

namespace stend::tomo::preparation {
namespace {
#include "tomo/preparation/rows.h"
#include "tomo/preparation/sorting.h"
}  // namespace

constinit const Kernels portable{"portable",
                                 {},
                                 normalize<std::uint16_t>,
                                 normalize<float>,
                                 zingers<std::uint16_t>,
                                 zingers<float>,
                                 stripes<Portable>};

}  // namespace stend::tomo::preparation
