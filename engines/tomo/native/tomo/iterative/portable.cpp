// Projections of four slices at a time.
#include "tomo/lanes/portable.h"

#include "tomo/iterative/joseph.h"

namespace stend::tomo::iterative {

constinit const Kernels portable = kernels<Portable>("portable", {});

}  // namespace stend::tomo::iterative
