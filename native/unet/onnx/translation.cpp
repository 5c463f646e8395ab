// Node by node, in an order in which they can be computed.
#include "unet/onnx/translation.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>
#include <stend/unet/onnx.hpp>
#include <string>
#include <utility>

#include "unet/onnx/attributes.h"
#include "unet/onnx/ends.h"
#include "unet/onnx/operators.h"
#include "unet/onnx/order.h"
#include "unet/onnx/text.h"

namespace stend::unet::onnx {
namespace {

constexpr std::size_t most_joined = std::size_t{1} << 18U;  // tensors, by all Concat together

// What a name stands for: tensors, of which the channels follow on each other, or numbers.
struct Value {
    std::vector<std::size_t> tensors;
    std::optional<Piece> constant;
};

[[noreturn]] void refuse(const Node& node, const std::string& why) {
    throw BadModel(described(node) + " " + why + ".");
}

bool passes_on(const Node& node) {
    return node.operation == "Identity" || node.operation == "Dropout";
}

class Translation {
public:
    Translation(const File& file, Weights& weights) : ends_(ends_of(file)), weights_(weights) {
        model_.tensors.push_back({valid(ends_.input), ends_.channels, 0});
        layer_of_.push_back(0);
        values_[ends_.input] = {{0}, {}};
        for (const auto& [name, tensor] : ends_.initializers) values_[name] = {{}, tensor};
        nodes_ = ordered(*file.graph, ends_.input, ends_.output, ends_.initializers);
        count_uses();
    }

    Model finished() && {
        for (const Node* node : nodes_) translate(*node);
        const Value& output = value(ends_.output);
        if (output.tensors.size() != 1)
            throw BadModel(
                "The graph's output " + quoted(ends_.output) +
                " is joined of several tensors, or of none; it must be what a layer makes.");
        model_.output = output.tensors[0];
        if (model_.output != 0) model_.tensors[model_.output].name = valid(ends_.output);
        return std::move(model_);
    }

private:
    struct Operator {
        std::string_view name;
        std::size_t least, most;  // inputs
        void (Translation::*translate)(const Node&);
    };

    void count_uses() {
        for (const Node* node : nodes_) {
            if (passes_on(*node) && !node->inputs.empty() && !node->outputs.empty()) {
                same_[node->outputs[0]] = canonical(node->inputs[0]);
                continue;
            }
            for (const std::string_view input : node->inputs) ++uses_[canonical(input)];
        }
        ++uses_[canonical(ends_.output)];
    }

    std::string_view canonical(std::string_view name) const {
        const auto found = same_.find(name);
        return found == same_.end() ? name : found->second;
    }

    void translate(const Node& node) {
        static constexpr Operator operators[] = {
            {"Conv", 2, 3, &Translation::convolution},
            {"ConvTranspose", 2, 3, &Translation::transposed_convolution},
            {"MaxPool", 1, 1, &Translation::max_pooling},
            {"Concat", 1, most_joined, &Translation::concatenation},
            {"Relu", 1, 1, &Translation::relu},
            {"BatchNormalization", 5, 5, &Translation::normalization},
            {"Sigmoid", 1, 1, &Translation::sigmoid},
            {"Softmax", 1, 1, &Translation::softmax},
            {"Constant", 0, 0, &Translation::constant},
            {"Identity", 1, 1, &Translation::identity},
            {"Dropout", 1, 3, &Translation::dropout},
        };
        if (!node.domain.empty() && node.domain != "ai.onnx")
            refuse(node, "of " + quoted(node.domain) + "; ONNX's own operators are computed here");
        const auto* known = std::ranges::find(operators, node.operation, &Operator::name);
        if (known == std::end(operators))
            throw BadModel(described(node) + ", which is not computed here; " +
                           instead_of(node.operation) + ".");
        if (node.inputs.size() < known->least || node.inputs.size() > known->most)
            refuse(node, "with " + std::to_string(node.inputs.size()) + " inputs");
        if (node.outputs.empty() || node.outputs[0].empty()) refuse(node, "without a first output");
        (this->*known->translate)(node);
    }

    static std::string instead_of(std::string_view operation) {
        if (operation == "Resize" || operation == "Upsample")
            return "images are enlarged by ConvTranspose of 2×2";
        if (operation == "Add" || operation == "Sum")
            return "tensors are joined by Concat, not added";
        if (operation == "Pad" || operation == "Slice")
            return "convolutions add zeros themselves, and all sides are divisible, so that "
                   "nothing "
                   "has to be padded or cut: export the model without";
        return "there are Conv, ConvTranspose, MaxPool, Concat, Relu, BatchNormalization, Sigmoid "
               "and Softmax";
    }

    const Value& value(std::string_view name) const {
        const auto found = values_.find(canonical(name));
        if (found == values_.end())
            throw BadModel(
                "The value " + quoted(name) +
                " is used, but is not the first output of the node that makes it; others "
                "are not computed here.");
        return found->second;
    }

    // Tensors that go into a layer.
    const std::vector<std::size_t>& tensors(const Node& node, std::string_view input) const {
        const Value& found = value(input);
        if (found.tensors.empty())
            refuse(node, "of " + quoted(input) + ", which is not made of the graph's input");
        return found.tensors;
    }

    TensorMessage numbers(const Node& node, std::size_t input) const {
        const Value& found = value(node.inputs[input]);
        if (!found.constant)
            refuse(node, "whose input " + quoted(node.inputs[input]) +
                             " is computed by the graph; here the file has to hold it");
        TensorMessage tensor = parse_tensor(*found.constant);
        if (tensor.name.empty()) tensor.name = node.inputs[input];
        return tensor;
    }

    // The layer before a node that becomes a part of it.
    Layer& layer_before(const Node& node) {
        const std::string_view input = node.inputs[0];
        const std::vector<std::size_t>& made = tensors(node, input);
        if (made.size() != 1 || made[0] == 0 ||
            model_.layers[layer_of_[made[0]]].operation == Operation::max_pooling)
            refuse(node, "of " + quoted(input) +
                             ", which no convolution makes; it is computed here as a part of one");
        Layer& layer = model_.layers[layer_of_[made[0]]];
        if (layer.activation != Activation::none)
            refuse(node, "of " + quoted(input) +
                             ", which has an activation already; it is computed here only before");
        if (uses_[canonical(input)] != 1)
            refuse(node,
                   "of " + quoted(input) +
                       ", which is also used without it; it is computed here as a part of the "
                       "convolution, whose own result is not kept");
        return layer;
    }

    void becomes_part(const Node& node, const Layer& layer) {
        model_.tensors[layer.output].name = valid(node.outputs[0]);
        values_[node.outputs[0]] = {{layer.output}, {}};
    }

    void activate(const Node& node, Activation activation) {
        Layer& layer = layer_before(node);
        layer.activation = activation;
        becomes_part(node, layer);
    }

    // Throws for inputs of different heights and widths.
    Layer& add(const Node& node, Operation operation, std::size_t channels, unsigned level) {
        const std::size_t output = model_.tensors.size();
        model_.tensors.push_back({valid(node.outputs[0]), channels, level});
        layer_of_.push_back(model_.layers.size());
        values_[node.outputs[0]] = {{output}, {}};
        model_.layers.push_back({.name = valid(node.name.empty() ? node.outputs[0] : node.name),
                                 .operation = operation,
                                 .inputs = tensors(node, node.inputs[0]),
                                 .output = output,
                                 .kernel = 2,
                                 .activation = Activation::none,
                                 .weights = {},
                                 .bias = {}});
        return model_.layers.back();
    }

    std::size_t channels(const std::vector<std::size_t>& joined) const {
        std::size_t sum = 0;
        for (const std::size_t tensor : joined) sum += model_.tensors[tensor].channels;
        return sum;
    }

    // [output channels][input channels][height][width] of a convolution; of a transposed one the
    // first two are exchanged.
    TensorMessage kernel_of(const Node& node, std::size_t inputs_at) const {
        TensorMessage kernel = numbers(node, 1);
        if (kernel.dimensions.size() != 4)
            refuse(node, "whose weights have the dimensions " + listed(kernel.dimensions) +
                             "; there must be four");
        const std::size_t there = channels(tensors(node, node.inputs[0]));
        const std::int64_t expected = kernel.dimensions[inputs_at];
        if (expected < 1 || static_cast<std::uint64_t>(expected) != there)
            refuse(node, "with weights of " + std::to_string(expected) +
                             " input channels; its input has " + std::to_string(there));
        return kernel;
    }

    void fill(const Node& node, Layer& layer, const TensorMessage& kernel) {
        const std::size_t outputs = model_.tensors[layer.output].channels;
        layer.weights = weights_.singles(kernel);
        layer.bias.assign(outputs, 0.0F);
        if (node.inputs.size() < 3 || node.inputs[2].empty()) return;
        const TensorMessage bias = numbers(node, 2);
        must_be_of_channels(node, bias, outputs);
        layer.bias = weights_.singles(bias);
    }

    static void must_be_of_channels(const Node& node, const TensorMessage& tensor,
                                    std::size_t channels) {
        if (tensor.dimensions != std::vector{static_cast<std::int64_t>(channels)})
            refuse(node, "whose input " + quoted(tensor.name) + " has the dimensions " +
                             listed(tensor.dimensions) + "; it must have [" +
                             std::to_string(channels) + "], one number a channel");
    }

    // From the number of output channels that weights are said to have; check() looks at it again.
    static std::size_t checked(const Node& node, std::int64_t outputs) {
        if (outputs < 1)
            refuse(node, "with weights of " + std::to_string(outputs) + " output channels");
        return static_cast<std::size_t>(outputs);
    }

    unsigned level(const Node& node) const {
        return model_.tensors[tensors(node, node.inputs[0])[0]].level;
    }

    void convolution(const Node& node) {
        const TensorMessage kernel = kernel_of(node, 1);
        check_convolution(node, {kernel.dimensions[2], kernel.dimensions[3]});
        Layer& layer =
            add(node, Operation::convolution, checked(node, kernel.dimensions[0]), level(node));
        layer.kernel = static_cast<std::size_t>(kernel.dimensions[2]);
        fill(node, layer, kernel);
    }

    void transposed_convolution(const Node& node) {
        const TensorMessage kernel = kernel_of(node, 0);
        check_transposed_convolution(node, {kernel.dimensions[2], kernel.dimensions[3]});
        if (level(node) == 0) refuse(node, "that makes images larger than the graph's input");
        Layer& layer = add(node, Operation::transposed_convolution,
                           checked(node, kernel.dimensions[1]), level(node) - 1);
        fill(node, layer, kernel);
    }

    void max_pooling(const Node& node) {
        check_max_pooling(node);
        const std::vector<std::size_t>& input = tensors(node, node.inputs[0]);
        if (input.size() != 1)
            refuse(node, "of " + quoted(node.inputs[0]) +
                             ", which is joined of several tensors; it is computed here of one");
        add(node, Operation::max_pooling, channels(input), level(node) + 1);
    }

    void concatenation(const Node& node) {
        check_concatenation(node);
        Value joined;
        for (const std::string_view input : node.inputs) {
            const std::vector<std::size_t>& next = tensors(node, input);
            joined_ += next.size();
            if (joined_ > most_joined)
                refuse(node, "that brings the number of joined tensors above " +
                                 std::to_string(most_joined));
            joined.tensors.insert(joined.tensors.end(), next.begin(), next.end());
        }
        for (const std::size_t tensor : joined.tensors)
            if (model_.tensors[tensor].level != model_.tensors[joined.tensors[0]].level)
                refuse(node, "of tensors of different heights and widths");
        values_[node.outputs[0]] = std::move(joined);
    }

    // Of what is rectified already it changes nothing.
    void relu(const Node& node) {
        check_plain(node);
        const std::vector<std::size_t>& made = tensors(node, node.inputs[0]);
        const bool again = made.size() == 1 && made[0] != 0 &&
                           model_.layers[layer_of_[made[0]]].activation == Activation::relu;
        if (again)
            values_[node.outputs[0]] = {made, {}};
        else
            activate(node, Activation::relu);
    }

    void sigmoid(const Node& node) {
        check_plain(node);
        activate(node, Activation::sigmoid);
    }

    void softmax(const Node& node) {
        check_softmax(node, ends_.operator_set);
        activate(node, Activation::softmax);
    }

    // y = scale · (x - mean) / √(variance + ε) + shift, channel by channel (Ioffe, Szegedy, ICML
    // 2015), which is the layer before it with other weights.
    void normalization(const Node& node) {
        const double epsilon = epsilon_of_normalization(node);
        Layer& layer = layer_before(node);
        const std::size_t outputs = model_.tensors[layer.output].channels;
        std::vector<std::vector<double>> given;
        for (std::size_t input = 1; input < 5; ++input) {
            const TensorMessage tensor = numbers(node, input);
            must_be_of_channels(node, tensor, outputs);
            given.push_back(weights_.doubles(tensor));
        }
        const auto &scale = given[0], &shift = given[1], &mean = given[2], &variance = given[3];
        const std::size_t taps = layer.kernel * layer.kernel;
        const bool transposed = layer.operation == Operation::transposed_convolution;
        const std::size_t of_one = layer.weights.size() / outputs;
        std::vector<double> factors(outputs);
        for (std::size_t channel = 0; channel < outputs; ++channel) {
            if (!(variance[channel] + epsilon > 0))
                refuse(node, "with a variance of " + std::to_string(variance[channel]) +
                                 " and an epsilon of " + std::to_string(epsilon) +
                                 ", of which there is no square root");
            factors[channel] = scale[channel] / std::sqrt(variance[channel] + epsilon);
            layer.bias[channel] = static_cast<float>(
                (layer.bias[channel] - mean[channel]) * factors[channel] + shift[channel]);
        }
        for (std::size_t i = 0; i < layer.weights.size(); ++i) {
            const std::size_t channel = transposed ? i / taps % outputs : i / of_one;
            layer.weights[i] = static_cast<float>(layer.weights[i] * factors[channel]);
        }
        becomes_part(node, layer);
    }

    void constant(const Node& node) { values_[node.outputs[0]] = {{}, value_of_constant(node)}; }

    void identity(const Node& node) { check_plain(node); }

    void dropout(const Node& node) {
        check_dropout(node);
        if (node.inputs.size() > 2 && !node.inputs[2].empty() && weights_.boolean(numbers(node, 2)))
            refuse(node, "whose input \"training_mode\" is true; export the model for inference");
    }

    Ends ends_;
    Weights& weights_;
    std::vector<const Node*> nodes_;
    std::map<std::string_view, Value> values_;
    std::map<std::string_view, std::string_view> same_;  // what Identity and Dropout make
    std::map<std::string_view, std::size_t> uses_;
    std::vector<std::size_t> layer_of_;  // of each tensor but the input
    std::size_t joined_ = 0;
    Model model_;
};

}  // namespace

Model translated(const File& file, Weights& weights) {
    Model model = Translation(file, weights).finished();
    try {
        check(model);
    } catch (const std::invalid_argument& error) {
        throw BadModel(printable(error.what(), 400));
    }
    return model;
}

}  // namespace stend::unet::onnx
