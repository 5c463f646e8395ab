// Nodes that pad, cut or enlarge images. Comes in: a node, the size of its image and the numbers it
// is given; goes out: what is left of it where sides can be halved as often as the network does it,
// and whether it pads to fit where they are odd. BadModel for what isn't computed here.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "unet/onnx/messages.h"
#include "unet/onnx/sizes.h"

namespace stend::unet::onnx {

// An image of a node, and where what its other inputs hold is looked up; null: it was left out.
struct Resized {
    const Node& node;
    std::int64_t operator_set;
    std::vector<Number> sides;  // images, channels, height, width
    std::function<const Numbers*(std::size_t input)> numbers;
    std::function<std::vector<float>(std::size_t input)> floats;  // of constants
};

// How many zeros it adds around: none, or one on each side.
unsigned padded(const Resized& given);

// Whether such a one adds as many around odd sides.
bool pads_alike(const Resized& given);

// What one that adds none there adds where sides are odd: what the image lacks of `full`,
// below and at the right; or something else.
enum class Fit : std::uint8_t { nothing, what_lacks, other };
Fit fit_of(const Resized& given, const std::vector<Number>& full);

// Slice. Whether all is kept of odd sides, too; it is of others.
bool check_cut(const Resized& given);

// Resize and Upsample. Whether each pixel becomes four of odd sides, too; it does of others.
bool check_enlargement(const Resized& given);

}  // namespace stend::unet::onnx
