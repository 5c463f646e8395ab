// Layers read what they are given; all other nodes pass it on.
#include "unet/onnx/fitting.h"

#include <algorithm>

namespace stend::unet::onnx {

void Fitting::reads(const Node& node) {
    constexpr std::string_view layers[] = {"Conv",   "ConvTranspose", "MaxPool",
                                           "Concat", "Resize",        "Upsample"};
    if (std::ranges::find(layers, node.operation) == std::end(layers)) return;
    const bool any =
        std::ranges::any_of(node.inputs, [this](std::string_view input) { return lacks(input); });
    fits_ = fits_ && !any;
}

void Fitting::pads(const Node& node, Fit fit) {
    if (fit == Fit::nothing) return;
    padded_ = true;
    fits_ = fits_ && lacks(node.inputs[0]) && fit == Fit::what_lacks;
    lacking_.erase(node.outputs[0]);
}

}  // namespace stend::unet::onnx
