// What ONNX's operators are asked to do by their attributes. Comes in: a node; goes out: what
// differs between those that are computed here; BadModel for what isn't.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "unet/onnx/messages.h"

namespace stend::unet::onnx {

// A kernel of [height, width], stride 1, zeros around (`bordered`: there are some already), so that
// height and width stay.
void check_convolution(const Node& node, const std::vector<std::int64_t>& kernel, bool bordered);

// A kernel of [2, 2], stride 2.
void check_transposed_convolution(const Node& node, const std::vector<std::int64_t>& kernel);

void check_max_pooling(const Node& node);
void check_concatenation(const Node& node);
void check_softmax(const Node& node, std::int64_t operator_set);
void check_dropout(const Node& node);
void check_cast(const Node& node);

// One that has no attributes.
void check_plain(const Node& node);

// An input of one number a channel.
void check_a_channel(const Node& node, const TensorMessage& tensor, std::size_t channels);

float epsilon_of_normalization(const Node& node);
Piece value_of_constant(const Node& node);

// What to do about an operator that is not computed here: the end of a sentence.
std::string instead_of(std::string_view operation);

}  // namespace stend::unet::onnx
