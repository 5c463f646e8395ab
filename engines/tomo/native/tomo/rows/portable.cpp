// Eight rows at a time through the filter.
#include "tomo/lanes/portable.h"

#include "tomo/rows/in_lanes.h"

namespace stend::tomo::rows {

constinit const Kernels portable = kernels<Portable>("portable", {});

}  // namespace stend::tomo::rows
