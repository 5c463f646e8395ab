// A row of pixels through the micro-kernel, in pieces of about equal length, and the work of it.
#pragma once

#include "unet/blocked/stage.h"
#include "unet/float32/arithmetic.h"

namespace stend::unet::float32 {

// `products` are those of the row's first pixel; a pixel's inputs lie `lanes` floats after its
// neighbour's.
inline void along_row(const Multiply* multiply, std::size_t most, std::size_t pixels,
                      std::size_t lanes, Products products) {
    const Products row = products;
    const std::size_t pieces = (pixels + most - 1) / most;
    for (std::size_t piece = 0; piece < pieces; ++piece) {
        const std::size_t begin = pixels * piece / pieces, end = pixels * (piece + 1) / pieces;
        products.first = row.first + static_cast<std::ptrdiff_t>(begin * lanes);
        products.to = row.to + begin * row.step;
        multiply[end - begin - 1](products);
    }
}

// Additions and multiplications of a layer whose products are all computed.
inline double flops(const blocked::Stage& stage) {
    return 2 * static_cast<double>(stage.layer.weights.size()) *
           static_cast<double>(stage.from.height) * static_cast<double>(stage.from.width);
}

}  // namespace stend::unet::float32
