// Eight lanes.
#if defined(__x86_64__)
#include <cstring>
#include <utility>

#include "isa/target.h"
#include "unet/blocked/planes.h"
#include "unet/winograd/kernels.h"

STEND_FOR("avx2,fma")
#include "unet/float32/in_lanes.h"
#include "unet/winograd/in_lanes.h"

namespace stend::unet::winograd {

namespace {

struct Lanes : float32::Avx2 {};

}  // namespace

constinit const Kernels avx2 = kernels<Lanes>();
constinit const float32::Arithmetic avx2_rest = float32::arithmetic<Lanes>;

}  // namespace stend::unet::winograd

STEND_FOR_ANY
#endif
