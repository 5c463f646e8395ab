// Where a graph begins and ends. Comes in: what the file says; goes out: its one input, its one
// output, and the tensors that it holds by their names. BadModel for more or fewer.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "unet/onnx/messages.h"

namespace stend::unet::onnx {

struct Ends {
    std::string_view input, output;
    std::vector<std::int64_t> sides;  // of the input: images, channels, height, width; 0: any
    std::map<std::string_view, Piece> initializers;
    std::int64_t operator_set;
};

Ends ends_of(const File& file);

}  // namespace stend::unet::onnx
