// Models in ONNX files (onnx.ai, IR version 3 to 14, operator sets 7 to 28). Comes in: a file, or
// its bytes; goes out: a Model. Back again, too.
//
// Read are the operators Conv (3×3 and 1×1, stride 1, padded to the same size), ConvTranspose (2×2,
// stride 2), MaxPool (2×2, stride 2), Concat (of channels), Relu, BatchNormalization (folded into
// the layer before it), Sigmoid and Softmax (of channels, at the end), Resize and Upsample (by 2,
// to the nearest pixel: computed as a transposed convolution with weights of 0 and 1), Constant,
// Identity, Dropout and Cast. Pad and Slice that change nothing where sides can be halved as often
// as the network does it are left out, however their numbers are computed from images' sizes (Shape
// and arithmetic); a Pad of one zero around goes into the convolution of 3×3 behind it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <stend/unet/model.hpp>
#include <string>
#include <vector>

namespace stend::unet {

// The file is not such a model: malformed, or with an operator or an attribute that is not computed
// here. what() is a sentence with the place and the value.
class BadModel : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// What the file says beside the graph (metadata_props), in its order.
struct Property {
    std::string key, value;
};

struct OnnxModel {
    Model model;
    std::vector<Property> properties;
};

// Throws BadModel, also for a file that can't be read. Weights kept beside the file ("external
// data") are read only from its own folder, or folders in it.
OnnxModel read_onnx(const std::filesystem::path& file);

// `folder` is where external data may lie; empty: nowhere.
OnnxModel parse_onnx(std::span<const std::byte> bytes, const std::filesystem::path& folder = {});

// IR version 8, operator set 17; images of any number and size, [count][channels][height][width].
// Throws std::invalid_argument as check().
std::vector<std::byte> to_onnx(const Model& model, std::span<const Property> properties = {});

}  // namespace stend::unet
