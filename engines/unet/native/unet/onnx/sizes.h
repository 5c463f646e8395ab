// Whole numbers that a graph computes from the sizes of its images, to pad, cut or enlarge others
// by them. Comes in: a node and the numbers it is given; goes out: what it makes of them.
//
// A network takes images of any size, so that all numbers are computed for several sizes at once:
// what holds for each of those that can be halved evenly is taken to hold for all such. Behind
// those are odd ones: at all levels, at every other one, at some without order, and the least; of
// several numbers of images. What a network pads to fit shows there.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "unet/onnx/messages.h"

namespace stend::unet::onnx {

// Three sizes that lie on no line tell sums of multiples of height and width apart.
inline constexpr std::size_t even = 3, samples = even + 7;
using Number = std::array<std::int64_t, samples>;

struct Numbers {
    std::vector<std::int64_t> dimensions;  // none: it is a single number
    std::vector<Number> values;
};

// What stands for the sides of all images: of those that are 0, any multiples of what the nodes
// halve them to, and odd ones.
std::vector<Number> sample(const std::vector<std::int64_t>& sides,
                           const std::vector<const Node*>& nodes);

// Whether it is one of the operators that are computed of numbers.
bool computes_numbers(std::string_view operation);

// All throw BadModel. What a node makes of numbers; null: an input that was left out.
Numbers computed(const Node& node, std::span<const Numbers* const> inputs);

// What Shape makes of a tensor with these dimensions.
Numbers shape_of(const Node& node, std::vector<Number> dimensions);

// What the file holds: a few numbers of int32 or int64.
Numbers stored_numbers(const TensorMessage& tensor);

// The same for all sizes.
Numbers list(const std::vector<std::int64_t>& values);

// Back again, for sides that can be halved evenly; `what` ends a sentence of the node.
std::vector<std::int64_t> fixed(const Node& node, const Numbers& numbers, std::string_view what);

}  // namespace stend::unet::onnx
