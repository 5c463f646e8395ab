// How the fast variants keep tensors: in planes of 64 bytes a pixel, a cache line, which hold the
// same pixel of 16 channels (float32) or 32 (bfloat16). Around each plane lie pixels that are
// always zero, as convolutions want them. Joining tensors is a longer list of planes; nothing is
// copied.
//
// All planes of a level have one geometry, so that a plane whose tensor is no longer needed is used
// again by another of its level, and the zeros around it stay.
#pragma once

#include <cstddef>
#include <stend/unet/model.hpp>
#include <vector>

#include "buffers/buffer.h"

namespace stend::unet::blocked {

inline constexpr std::size_t pixel_bytes = 64;
inline constexpr std::size_t pixel_floats = pixel_bytes / sizeof(float);

// Zero pixels before a row's first and above the first row; after the last there are as many as
// tiles of `after` pixels need that begin inside and look one pixel further.
inline constexpr std::size_t before = 1, after = 4;

// In pixels.
struct Geometry {
    std::size_t height = 0, width = 0;
    std::size_t pitch = 0;  // from a row to the next
    std::size_t plane = 0;  // from a plane to the next

    std::ptrdiff_t offset(std::ptrdiff_t y, std::ptrdiff_t x) const {
        return (y * static_cast<std::ptrdiff_t>(pitch) + x) *
               static_cast<std::ptrdiff_t>(pixel_floats);
    }
};

Geometry geometry(std::size_t height, std::size_t width);

// The pixel at row 0 and column 0 of a plane; negative rows and columns to -`before` may be read.
using Plane = float*;

// Planes of each tensor of a model, over the time in which layers run.
class Planes {
public:
    // `count[tensor]` planes of each tensor; 0 of those that are kept elsewhere.
    Planes(const Model& model, std::size_t height, std::size_t width,
           const std::vector<std::size_t>& count);

    const Geometry& level(unsigned level) const { return geometries_[level]; }
    std::vector<Plane> of(std::size_t tensor) const;
    std::size_t bytes() const { return memory_.mapped_bytes(); }

private:
    std::vector<Geometry> geometries_;
    std::vector<std::size_t> begin_;                 // of a level's planes, in floats
    std::vector<std::vector<std::size_t>> numbers_;  // of each tensor's planes, in its level
    std::vector<unsigned> level_of_;
    Buffer<float> memory_;
};

}  // namespace stend::unet::blocked
