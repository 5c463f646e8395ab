// Rebinning of four slices at a time.
#include "tomo/lanes/portable.h"

#include "tomo/fan/rows.h"

namespace stend::tomo::fan {

constinit const Kernels portable = kernels<Portable>("portable", {});

}  // namespace stend::tomo::fan
