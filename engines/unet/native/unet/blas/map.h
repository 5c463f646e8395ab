// A tensor for BLAS: [channel][row][column] with a zero after each row, and a row of zeros above
// and below, so that all pixels shifted by a tap of a 3×3 kernel are the same matrix from another
// address: a column to the left of the first is the zero after the row before.
#pragma once

#include <cstddef>

#include "buffers/buffer.h"

namespace stend::unet::blas {

class Map {
public:
    Map(std::size_t channels, std::size_t height, std::size_t width)
        : channels_(channels),
          height_(height),
          width_(width),
          memory_(channels * plane() + 2 * pitch()) {}

    std::size_t channels() const { return channels_; }
    std::size_t height() const { return height_; }
    std::size_t width() const { return width_; }
    std::size_t pitch() const { return width_ + 1; }               // from a row to the next
    std::size_t plane() const { return (height_ + 1) * pitch(); }  // from a channel to the next
    std::size_t bytes() const { return memory_.mapped_bytes(); }

    // From row -1, column -1 to row `height`, column `width`.
    float* row(std::size_t channel, std::size_t y) const {
        return memory_.data() + channel * plane() + (y + 1) * pitch() + 1;
    }

private:
    std::size_t channels_, height_, width_;
    Buffer<float> memory_;
};

}  // namespace stend::unet::blas
