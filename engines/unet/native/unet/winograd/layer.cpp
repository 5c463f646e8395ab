// Tiles of one row go through a transform together.
#include "unet/winograd/layer.h"

#include <algorithm>

#include "unet/winograd/panels.h"

namespace stend::unet::winograd {
namespace {

// A cache's set is told by an address's low bits: the 36 elements of a tile would fall on few.
constexpr std::size_t apart = 5 * line;

}  // namespace

Tiles::Tiles(std::size_t tiles, std::size_t planes_of)
    : count(tiles), stride(planes_of * tiles * line + apart), floats(elements * stride) {
    for (std::size_t plane = 0; plane < planes_of; ++plane)
        planes.push_back(static_cast<std::ptrdiff_t>(offset(0, plane)));
}

Transforms::Transforms(const Kernels& kernels, const blocked::Stage& stage)
    : kernels_(kernels),
      from_(stage.from),
      to_(stage.to),
      pooled_to_(stage.pooled_to),
      in_(stage.in),
      out_(stage.out),
      pooled_(stage.pooled),
      bias_(padded_bias(stage)),
      relu_(stage.layer.activation == Activation::relu),
      across_((to_.width + tile - 1) / tile),
      down_((to_.height + tile - 1) / tile) {}

void Transforms::input(std::size_t plane, std::size_t first, std::size_t last, float* to,
                       std::size_t stride) const {
    while (first < last) {
        const std::size_t row = first / across_, column = first % across_;
        const std::size_t count = std::min(last - first, across_ - column);
        const auto y = static_cast<std::ptrdiff_t>(row * tile),
                   x = static_cast<std::ptrdiff_t>(column * tile);
        kernels_.input({.pixel = in_[plane] + from_.offset(y - 1, x - 1),
                        .pitch = from_.offset(1, 0),
                        .count = count,
                        .to = to,
                        .stride = static_cast<std::ptrdiff_t>(stride)});
        first += count;
        to += count * line;
    }
}

void Transforms::output(std::size_t plane, std::size_t first, std::size_t last, const float* from,
                        std::size_t stride) const {
    while (first < last) {
        const std::size_t row = first / across_, column = first % across_;
        const std::size_t count = std::min(last - first, across_ - column);
        const auto y = static_cast<std::ptrdiff_t>(row * tile),
                   x = static_cast<std::ptrdiff_t>(column * tile);
        kernels_.output(
            {.from = from,
             .stride = static_cast<std::ptrdiff_t>(stride),
             .count = count,
             .bias = &bias_[plane * line],
             .relu = relu_,
             .pixel = out_[plane] + to_.offset(y, x),
             .pitch = to_.offset(1, 0),
             .rows = to_.height - row * tile,
             .columns = to_.width - column * tile,
             .pooled = pooled_.empty() ? nullptr : pooled_[plane] + pooled_to_.offset(y / 2, x / 2),
             .pooled_pitch = pooled_to_.offset(1, 0)});
        first += count;
        from += count * line;
    }
}

}  // namespace stend::unet::winograd
