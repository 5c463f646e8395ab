// From ONNX's graph to a Model. Comes in: what the file says, and where its weights are; goes out:
// the model, checked. What follows a convolution element by element becomes a part of its layer.
#pragma once

#include <stend/unet/model.hpp>

#include "unet/onnx/messages.h"
#include "unet/onnx/weights.h"

namespace stend::unet::onnx {

// Throws BadModel.
Model translated(const File& file, Weights& weights);

}  // namespace stend::unet::onnx
