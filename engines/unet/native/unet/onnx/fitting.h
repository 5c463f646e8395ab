// Whether a network pads to fit (Model::pads_to_fit). Comes in: what its nodes do to images whose
// sides are odd; goes out: yes, where all that each transposed convolution makes is given what it
// lacks of its level, zeros below and at the right, before anything reads it, and nothing else
// depends on such sides.
#pragma once

#include <set>
#include <string_view>

#include "unet/onnx/messages.h"
#include "unet/onnx/resizing.h"

namespace stend::unet::onnx {

class Fitting {
public:
    // Whether an image lacks a row and a column of its level.
    bool lacks(std::string_view image) const { return lacking_.contains(image); }

    // A transposed convolution makes it.
    void enlarges(const Node& node) { lacking_.insert(node.outputs[0]); }

    // The first output is the first input by another name, or element by element.
    void keeps(const Node& node) {
        if (lacks(node.inputs[0])) lacking_.insert(node.outputs[0]);
    }

    // A layer reads its inputs.
    void reads(const Node& node);

    // The output is the input with this behind it.
    void pads(const Node& node, Fit fit);

    void fails() { fits_ = false; }

    bool holds(std::string_view output) const { return fits_ && padded_ && !lacks(output); }

private:
    std::set<std::string_view> lacking_;
    bool fits_ = true, padded_ = false;  // so far
};

}  // namespace stend::unet::onnx
