// Engines on tiles, without the permission that Linux wants asked for before a process uses their
// registers (isa::allow_tiles()).
#pragma once

#include "unet/engine.h"

namespace stend::unet::bfloat16 {

std::unique_ptr<Engine> on_tiles(const Plan& plan);
std::unique_ptr<Engine> on_tiles_x3(const Plan& plan);

}  // namespace stend::unet::bfloat16
