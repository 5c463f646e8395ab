// What makes a network another one than is computed here, where several nodes together tell it: one
// by one they would be refused for what is only a sign of it.
#pragma once

#include <vector>

#include "unet/onnx/messages.h"

namespace stend::unet::onnx {

// Throws BadModel for a quantized network, for normalizations by the image's own numbers, and for
// SiLU.
void check_kind(const std::vector<const Node*>& nodes);

}  // namespace stend::unet::onnx
