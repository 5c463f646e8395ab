// The table of a variant's functions. To be included after the STEND_FOR of its file; L is a type
// of its own there (float32/lanes.h).
#pragma once

#include "unet/winograd/product.h"
#include "unet/winograd/transforms.h"

namespace stend::unet::winograd {

template <typename L>
constexpr Kernels kernels() {
    return {.panel = Block<L>::vectors * L::count,
            .input = input<L>,
            .output = output<L>,
            .product = product<L>,
            .filters = filters<L>};
}

}  // namespace stend::unet::winograd
