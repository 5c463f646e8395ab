// What follows the last layer: its activation, on the finished output.
#pragma once

#include <memory>
#include <span>

#include "unet/engine.h"

namespace stend::unet {

// Sigmoid or softmax of [channels][pixels], in place; null for the others, which layers do
// themselves.
std::unique_ptr<Step> finish(Activation activation, std::span<float> output, std::size_t channels);

}  // namespace stend::unet
