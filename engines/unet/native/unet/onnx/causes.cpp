// Each kind by the nodes that no other network has.
#include "unet/onnx/causes.h"

#include <algorithm>
#include <initializer_list>
#include <set>
#include <stend/unet/onnx.hpp>
#include <string_view>
#include <utility>

#include "unet/onnx/operators.h"
#include "unet/onnx/text.h"

namespace stend::unet::onnx {
namespace {

bool is_one_of(std::string_view operation, std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, operation) != names.end();
}

void refuse_quantized(const Node& node) {
    if (!is_one_of(node.operation, {"DynamicQuantizeLinear", "QuantizeLinear", "DequantizeLinear",
                                    "ConvInteger", "MatMulInteger", "QLinearConv"}))
        return;
    throw BadModel(described(node) +
                   ", as networks quantized to integers have; weights and images are of floating "
                   "point here: give the file from before it was quantized.");
}

void refuse_normalization(const Node& node) {
    if (!is_one_of(node.operation,
                   {"InstanceNormalization", "GroupNormalization", "LayerNormalization"}))
        return;
    const bool of_groups = node.operation == "InstanceNormalization";
    throw BadModel(described(node) + ", which is not computed here; " + instead_of(node.operation) +
                   (of_groups ? ". PyTorch's GroupNorm and InstanceNorm are exported so." : "."));
}

// x · Sigmoid(x).
void refuse_silu(const Node& node,
                 const std::set<std::pair<std::string_view, std::string_view>>& sigmoids) {
    if (node.operation != "Mul" || node.inputs.size() != 2) return;
    const std::string_view a = node.inputs[0], b = node.inputs[1];
    if (sigmoids.contains({a, b}) || sigmoids.contains({b, a}))
        throw BadModel(described(node) +
                       " of a tensor by its own Sigmoid (SiLU, or Swish), which is not computed "
                       "here; " +
                       instead_of("Mul") + ".");
}

}  // namespace

void check_kind(const std::vector<const Node*>& nodes) {
    std::set<std::pair<std::string_view, std::string_view>> sigmoids;  // what goes in, what out
    for (const Node* node : nodes)
        if (node->operation == "Sigmoid" && !node->inputs.empty() && !node->outputs.empty())
            sigmoids.emplace(node->inputs[0], node->outputs[0]);
    for (const Node* node : nodes) {
        refuse_quantized(*node);
        refuse_normalization(*node);
        refuse_silu(*node, sigmoids);
    }
}

}  // namespace stend::unet::onnx
