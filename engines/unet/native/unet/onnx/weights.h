// The numbers of a tensor that the file holds. Comes in: a TensorProto; goes out: its numbers in
// the order of its dimensions. Their count is compared with the bytes there are before memory is
// taken.
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "unet/onnx/folder.h"
#include "unet/onnx/messages.h"

namespace stend::unet::onnx {

class Weights {
public:
    // `bytes` of the file, and the folder of what lies beside it.
    Weights(std::size_t bytes, std::filesystem::path folder);

    // Of float16, bfloat16, float32 or float64. Throw BadModel, also when numbers are taken so
    // often that they would be many times what the file has.
    std::vector<float> singles(const TensorMessage& tensor);
    std::vector<double> doubles(const TensorMessage& tensor);

    // For the numbers that a node makes of none in the file, `each` from every channel to every
    // other; BadModel as above.
    void spend(const Node& node, std::size_t channels, std::size_t each);

    // A tensor of one boolean.
    bool boolean(const TensorMessage& tensor);

private:
    template <class Number>
    std::vector<Number> numbers(const TensorMessage& tensor);

    std::vector<std::byte> beside(const TensorMessage& tensor, std::size_t bytes);

    Folder folder_;
    std::size_t left_;         // numbers that may still be taken
    std::size_t left_beside_;  // bytes of other files
};

}  // namespace stend::unet::onnx
