// A 3×3 convolution from planes to planes by F(4×4, 3×3), and the pooling of its output where asked
// for. There are two ways, by where transformed weights are kept: they are four times as many as
// the layer's own.
#pragma once

#include "unet/blocked/stage.h"
#include "unet/winograd/kernels.h"

namespace stend::unet::winograd {

// The way that suits the layer.
blocked::Made convolution3(const Kernels& kernels, const blocked::Stage& stage, unsigned threads,
                           blocked::Workspace& workspace);

// Weights are kept transformed; threads share the tiles.
blocked::Made kept(const Kernels& kernels, const blocked::Stage& stage, unsigned threads,
                   blocked::Workspace& workspace);

// Weights are transformed on the way, for the sake of memory; threads share the output channels.
blocked::Made passing(const Kernels& kernels, const blocked::Stage& stage, unsigned threads,
                      blocked::Workspace& workspace);

}  // namespace stend::unet::winograd
