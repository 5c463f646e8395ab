// The nodes that a graph's output needs. Comes in: a graph, in any order; goes out: these nodes, in
// an order in which they can be computed, which is the file's own where that is one.
#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "unet/onnx/messages.h"

namespace stend::unet::onnx {

// Throws BadModel for names that are given twice, for values that nothing makes, and for nodes that
// need each other.
std::vector<const Node*> ordered(const Graph& graph, std::string_view input,
                                 std::string_view output,
                                 const std::map<std::string_view, Piece>& initializers);

}  // namespace stend::unet::onnx
