// 3×3 convolutions with a third of the multiplications: Winograd's F(2×4, 3×3), products of
// bfloat16. README.md says why these tiles, and what the rounding costs.
#pragma once

#include "unet/blocked/stage.h"

namespace stend::unet::bfloat16 {

blocked::Made winograd(const blocked::Stage& stage, unsigned threads,
                       blocked::Workspace& workspace);

}  // namespace stend::unet::bfloat16
