// Plain C++ for any processor: every layer by the simple kernels.
#include "unet/float32/in_lanes.h"
#include "unet/float32/kernels.h"
#include "unet/variants.h"

namespace stend::unet::direct {
namespace {

struct Lanes : float32::Portable {};

constexpr blocked::Kernels kernels = float32::kernels<float32::arithmetic<Lanes>>();

}  // namespace

std::unique_ptr<Engine> make(const Plan& plan) {
    return blocked::make(plan, kernels);
}

}  // namespace stend::unet::direct
