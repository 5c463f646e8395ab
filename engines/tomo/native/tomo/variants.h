// The variants of each algorithm, slowest first.
#pragma once

#include <span>

#include "tomo/engine.h"

namespace stend::tomo {

namespace fbp {
std::span<const Maker> variants();
}
namespace fbp_int16 {
std::span<const Maker> variants();
}
namespace dfr {
std::span<const Maker> variants();
std::span<const Maker> half_variants();
}  // namespace dfr
namespace hfbp {
std::span<const Maker> variants();
std::span<const Maker> fine_variants();
}  // namespace hfbp

std::span<const Maker> makers(Algorithm algorithm);

}  // namespace stend::tomo
