// The variants of filtered back projection.
#pragma once

#include "tomo/engine.h"

namespace stend::tomo::fbp {

std::unique_ptr<Engine> reference(const Plan& plan);

}  // namespace stend::tomo::fbp
