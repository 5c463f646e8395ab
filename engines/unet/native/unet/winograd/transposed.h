// A transposed 2×2 convolution: each input pixel gives four output pixels, by four matrix products.
#pragma once

#include "unet/blocked/stage.h"
#include "unet/winograd/kernels.h"

namespace stend::unet::winograd {

blocked::Made transposed(const Kernels& kernels, const blocked::Stage& stage);

}  // namespace stend::unet::winograd
