// Four lanes of the compiler's own vectors: any machine.
#include "unet/float32/in_lanes.h"
#include "unet/winograd/in_lanes.h"

namespace stend::unet::winograd {

namespace {

struct Lanes : float32::Portable {};

}  // namespace

constinit const Kernels portable = kernels<Lanes>();
constinit const float32::Arithmetic portable_rest = float32::arithmetic<Lanes>;

}  // namespace stend::unet::winograd
