// Sixteen lanes: a whole line.
#if defined(__x86_64__)
#include <cstring>
#include <utility>

#include "isa/target.h"
#include "unet/blocked/planes.h"
#include "unet/winograd/kernels.h"

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,fma")
#include "unet/float32/in_lanes.h"
#include "unet/winograd/in_lanes.h"

namespace stend::unet::winograd {

namespace {

struct Lanes : float32::Avx512 {};

}  // namespace

constinit const Kernels avx512 = kernels<Lanes>();
constinit const float32::Arithmetic avx512_rest = float32::arithmetic<Lanes>;

}  // namespace stend::unet::winograd

STEND_FOR_ANY
#endif
