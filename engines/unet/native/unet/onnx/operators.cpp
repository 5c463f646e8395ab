// Attributes and their defaults are those of ONNX's operators (github.com/onnx/onnx,
// docs/Operators.md).
#include "unet/onnx/operators.h"

#include <algorithm>
#include <initializer_list>
#include <stend/unet/onnx.hpp>

#include "unet/onnx/attributes.h"
#include "unet/onnx/text.h"

namespace stend::unet::onnx {
namespace {

using Integers = std::vector<std::int64_t>;

std::string_view auto_pad(const Node& node, Attributes& attributes) {
    const std::string_view way = attributes.text("auto_pad", "NOTSET");
    if (way != "NOTSET" && way != "VALID" && way != "SAME_UPPER" && way != "SAME_LOWER")
        throw BadModel(described(node) + " whose \"auto_pad\" is " + quoted(way) +
                       "; ONNX has no such.");
    return way;
}

void check_kernel(const Node& node, Attributes& attributes, const Integers& kernel,
                  bool is_computed) {
    attributes.must_be("kernel_shape", kernel, kernel);
    attributes.must_be("dilations", {1, 1}, {1, 1});
    attributes.must_be("group", 1, 1);
    if (!is_computed)
        throw BadModel(described(node) + " with a kernel of " + listed(kernel) +
                       "; convolutions of 3×3 and 1×1 are computed here, transposed ones of 2×2.");
}

}  // namespace

void check_convolution(const Node& node, const Integers& kernel, bool bordered) {
    Attributes attributes(node);
    const bool points = kernel == Integers{1, 1}, squares = kernel == Integers{3, 3};
    check_kernel(node, attributes, kernel, points || squares);
    attributes.must_be("strides", {1, 1}, {1, 1});
    const std::string_view way = auto_pad(node, attributes);
    // With SAME_… as many zeros as keep height and width, with VALID none.
    const Integers none{0, 0, 0, 0}, same = points ? none : Integers{1, 1, 1, 1};
    attributes.must_be("pads", way.starts_with("SAME") ? same : none, bordered ? none : same);
    attributes.done();
    if (bordered && points)
        throw BadModel(described(node) +
                       " of 1×1 behind a Pad, which makes images larger; that is not computed "
                       "here.");
}

void check_transposed_convolution(const Node& node, const Integers& kernel) {
    Attributes attributes(node);
    check_kernel(node, attributes, kernel, kernel == Integers{2, 2});
    attributes.must_be("strides", {1, 1}, {2, 2});
    auto_pad(node, attributes);  // this kernel and stride leave nothing to cut, in whatever way
    attributes.must_be("pads", {0, 0, 0, 0}, {0, 0, 0, 0});
    attributes.must_be("output_padding", {0, 0}, {0, 0});
    attributes.done();
}

void check_max_pooling(const Node& node) {
    Attributes attributes(node);
    attributes.must_be("kernel_shape", Integers{}, {2, 2});
    attributes.must_be("strides", {1, 1}, {2, 2});
    attributes.must_be("dilations", {1, 1}, {1, 1});
    attributes.must_be("pads", {0, 0, 0, 0}, {0, 0, 0, 0});
    attributes.must_be("ceil_mode", 0, 0);
    if (auto_pad(node, attributes).starts_with("SAME"))
        throw BadModel(described(node) +
                       " whose \"auto_pad\" adds a border to odd sides; only \"NOTSET\" "
                       "and \"VALID\" are computed here.");
    attributes.ignore("storage_order");  // of the second output
    attributes.done();
}

void check_concatenation(const Node& node) {
    Attributes attributes(node);
    const std::int64_t axis = attributes.integer("axis", 0);
    attributes.done();
    if (axis != 1 && axis != -3)
        throw BadModel(described(node) + " along the axis " + std::to_string(axis) +
                       "; tensors are joined by their channels here, the axis 1 or -3.");
}

void check_softmax(const Node& node, std::int64_t operator_set) {
    Attributes attributes(node);
    const std::int64_t axis = attributes.integer("axis", operator_set < 13 ? 1 : -1);
    attributes.done();
    if (operator_set < 13)  // there the axis and all after it are one
        throw BadModel(
            described(node) + " of the operator set " + std::to_string(operator_set) +
            ", which is over all pixels together; it is computed here of the channels of "
            "each pixel. Export the model with the operator set 13 or later.");
    if (axis != 1 && axis != -3)
        throw BadModel(described(node) + " along the axis " + std::to_string(axis) +
                       "; it is computed here along the channels, the axis 1 or -3.");
}

void check_dropout(const Node& node) {
    Attributes attributes(node);
    attributes.ignore("ratio");
    attributes.ignore("seed");
    attributes.done();
}

void check_cast(const Node& node) {
    Attributes attributes(node);
    const std::int64_t to = attributes.integer("to", 0);
    attributes.ignore("saturate");  // of float8
    attributes.ignore("round_mode");
    attributes.done();
    if (to != 1 && to != 10 && to != 11 && to != 16)
        throw BadModel(described(node) + " of images to the type " + std::to_string(to) +
                       "; they stay float32 (1), float16 (10), float64 (11) or bfloat16 (16) "
                       "here.");
}

void check_a_channel(const Node& node, const TensorMessage& tensor, std::size_t channels) {
    if (tensor.dimensions != Integers{static_cast<std::int64_t>(channels)})
        throw BadModel(described(node) + " whose input " + quoted(tensor.name) +
                       " has the dimensions " + listed(tensor.dimensions) + "; it must have [" +
                       std::to_string(channels) + "], one number a channel.");
}

void check_plain(const Node& node) {
    Attributes(node).done();
}

float epsilon_of_normalization(const Node& node) {
    Attributes attributes(node);
    const float epsilon = attributes.number("epsilon", 1e-5F);
    attributes.ignore("momentum");  // of the training
    attributes.must_be("training_mode", 0, 0);
    attributes.must_be("spatial", 1, 1);
    attributes.done();
    return epsilon;
}

Piece value_of_constant(const Node& node) {
    Attributes attributes(node);
    const Piece* value = attributes.tensor("value");
    attributes.done();
    if (value == nullptr) throw BadModel(described(node) + " without a value.");
    return *value;
}

std::string instead_of(std::string_view operation) {
    struct Advice {
        std::initializer_list<std::string_view> operations;
        const char* said;
    };
    static const Advice advice[] = {
        {{"Add", "Sum"}, "tensors are joined by Concat, not added"},
        {{"ArgMax", "LogSoftmax"},
         "classes are told by what goes into it: export the model without it"},
        {{"Gather", "Squeeze", "Unsqueeze", "Flatten", "Reshape"},
         "what comes out is [images, channels, height, width]: export the model without it"},
        {{"Transpose"},
         "images are [images, channels, height, width] from the first to the last layer: export "
         "the model so (tf2onnx: --inputs-as-nchw and --outputs-as-nchw)"},
        {{"LeakyRelu", "PRelu", "Elu", "Gelu", "HardSwish", "HardSigmoid", "Clip", "Mul", "Tanh"},
         "Relu is what follows layers here, and Sigmoid or Softmax the last: a network has to be "
         "taught with these"},
        {{"InstanceNormalization", "GroupNormalization", "LayerNormalization"},
         "only BatchNormalization is, whose numbers don't depend on the image: a network has to "
         "be taught with it"},
        {{"AveragePool"}, "images are made smaller by MaxPool of 2×2"},
        {{"Expand", "CastLike", "Where", "Equal", "Range"},
         "simplify the file first, as onnxsim does, or leave optimize=False out where PyTorch "
         "exports it"},
    };
    for (const auto& [operations, said] : advice)
        if (std::ranges::find(operations, operation) != operations.end()) return said;
    return "there are Conv, ConvTranspose, MaxPool, Concat, Resize, Relu, BatchNormalization, "
           "Sigmoid and Softmax";
}

}  // namespace stend::unet::onnx
