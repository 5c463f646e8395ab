// What stands around the convolutions: the first layer and the last, which read and write the
// caller's format, poolings, and tensors of many channels on their way between that format and
// planes. All of it in float32, rounded once at its end.
#pragma once

#include "unet/blocked/stage.h"

namespace stend::unet::bfloat16 {

template <std::size_t parts>
blocked::Made first(const blocked::Stage& stage, unsigned threads, blocked::Workspace& workspace);

template <std::size_t parts>
blocked::Made last(const blocked::Stage& stage, unsigned threads, blocked::Workspace& workspace);

template <std::size_t parts>
blocked::Made pooling(const blocked::Stage& stage, unsigned threads, blocked::Workspace& workspace);

template <std::size_t parts>
void enter(const float* image, const blocked::Geometry& to, std::size_t channels,
           const std::vector<blocked::Plane>& out, std::size_t row);

template <std::size_t parts>
void leave(const std::vector<blocked::Plane>& in, const blocked::Geometry& from,
           std::size_t channels, float* result, std::size_t row);

}  // namespace stend::unet::bfloat16
