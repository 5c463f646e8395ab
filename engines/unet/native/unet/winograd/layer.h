// What both ways of a Winograd convolution (kept.h, passing.h) begin and end with: planes to
// transformed tiles, and tiles of products to planes.
#pragma once

#include <vector>

#include "unet/blocked/stage.h"
#include "unet/winograd/kernels.h"

namespace stend::unet::winograd {

// Transformed tiles: [element][plane][tile][channel], in floats.
struct Tiles {
    Tiles(std::size_t count, std::size_t planes);

    std::size_t offset(std::size_t element, std::size_t plane) const {
        return element * stride + plane * count * line;
    }

    std::size_t count, stride, floats;
    std::vector<std::ptrdiff_t> planes;  // where each begins, in an element
};

// A layer but its weights.
class Transforms {
public:
    Transforms(const Kernels& kernels, const blocked::Stage& stage);

    std::size_t tiles() const { return across_ * down_; }

    // Tiles first … last - 1 of a plane, from and to the first tile's first element.
    void input(std::size_t plane, std::size_t first, std::size_t last, float* to,
               std::size_t stride) const;
    void output(std::size_t plane, std::size_t first, std::size_t last, const float* from,
                std::size_t stride) const;

private:
    const Kernels& kernels_;
    blocked::Geometry from_, to_, pooled_to_;
    std::vector<blocked::Plane> in_, out_, pooled_;
    std::vector<float> bias_;
    bool relu_;
    std::size_t across_, down_;
};

}  // namespace stend::unet::winograd
