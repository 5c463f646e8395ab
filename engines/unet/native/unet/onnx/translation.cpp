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
#include "unet/onnx/causes.h"
#include "unet/onnx/ends.h"
#include "unet/onnx/fitting.h"
#include "unet/onnx/operators.h"
#include "unet/onnx/order.h"
#include "unet/onnx/resizing.h"
#include "unet/onnx/sizes.h"
#include "unet/onnx/text.h"

namespace stend::unet::onnx {
namespace {

constexpr std::size_t most_joined = std::size_t{1} << 18U;  // tensors, by all Concat together
constexpr std::size_t most_numbers = 64;                    // that are joined

// What a name stands for: tensors, of which the channels follow on each other; what the file holds;
// or sizes that the graph computes.
struct Value {
    std::vector<std::size_t> tensors;
    std::optional<Piece> constant = {};
    std::optional<Numbers> numbers = {};
    bool bordered = false;  // by zeros that a convolution is still to be given
};

[[noreturn]] void refuse(const Node& node, const std::string& why) {
    throw BadModel(described(node) + " " + why + ".");
}

class Translation {
public:
    Translation(const File& file, Weights& weights) : ends_(ends_of(file)), weights_(weights) {
        model_.tensors.push_back({valid(ends_.input), static_cast<std::size_t>(ends_.sides[1]), 0});
        layer_of_.push_back(0);
        values_[ends_.input] = {{0}, {}};
        for (const auto& [name, tensor] : ends_.initializers) values_[name] = {{}, tensor};
        nodes_ = ordered(*file.graph, ends_.input, ends_.output, ends_.initializers);
        check_kind(nodes_);
        count_uses();
        sides_ = sample(ends_.sides, nodes_);
    }

    Model finished() && {
        for (const Node* node : nodes_) translate(*node);
        const Value& output = value(ends_.output);
        if (output.tensors.size() != 1)
            throw BadModel(
                "The graph's output " + quoted(ends_.output) +
                " is joined of several tensors, or of none; it must be what a layer makes.");
        if (output.bordered)
            throw BadModel("The graph's output " + quoted(ends_.output) +
                           " has zeros padded around it; only a convolution of 3×3 takes them "
                           "here.");
        model_.output = output.tensors[0];
        model_.pads_to_fit = fitting_.holds(ends_.output);
        if (model_.output != 0) model_.tensors[model_.output].name = valid(ends_.output);
        return std::move(model_);
    }

private:
    struct Operator {
        std::string_view name;
        std::size_t least, most;  // inputs
        void (Translation::*translate)(const Node&);
    };

    // Who asks for a shape uses no pixel.
    void count_uses() {
        for (const Node* node : nodes_)
            if (node->operation != "Shape")
                for (const std::string_view input : node->inputs) ++uses_[input];
        ++uses_[ends_.output];
    }

    // The output is the first input by another name.
    void pass_on(const Node& node) {
        fitting_.keeps(node);
        const std::string_view from = canonical(node.inputs[0]);
        same_[node.outputs[0]] = from;
        uses_[from] += uses_[node.outputs[0]] - 1;
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
            {"Cast", 1, 1, &Translation::cast},
            {"Shape", 1, 1, &Translation::shape},
            {"Pad", 1, 4, &Translation::pad},
            {"Slice", 1, 5, &Translation::cut},
            {"Resize", 1, 4, &Translation::enlarge},
            {"Upsample", 1, 2, &Translation::enlarge},
        };
        if (!node.domain.empty() && node.domain != "ai.onnx")
            refuse(node, "of " + quoted(node.domain) + "; ONNX's own operators are computed here");
        if (computes_numbers(node.operation) && is_of_numbers(node)) return compute(node);
        const auto* known = std::ranges::find(operators, node.operation, &Operator::name);
        if (known == std::end(operators))
            throw BadModel(described(node) + ", which is not computed here; " +
                           instead_of(node.operation) + ".");
        if (node.inputs.size() < known->least || node.inputs.size() > known->most)
            refuse(node, "with " + std::to_string(node.inputs.size()) + " inputs");
        if (node.outputs.empty() || node.outputs[0].empty()) refuse(node, "without a first output");
        fitting_.reads(node);
        (this->*known->translate)(node);
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
        if (found.bordered && node.operation != "Conv")
            refuse(node, "of " + quoted(input) +
                             ", around which zeros are padded; only a convolution of 3×3 takes "
                             "them here");
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
            refuse(node,
                   "of " + quoted(input) +
                       ", which has an activation already; it is computed here only before, and "
                       "a network has to be taught so");
        if (uses_[canonical(input)] != 1)
            refuse(node,
                   "of " + quoted(input) +
                       ", which is also used without it; it is computed here as a part of the "
                       "convolution, whose own result is not kept");
        return layer;
    }

    // Neither images nor, like scales, floating point.
    bool is_of_numbers(const Node& node) const {
        return !node.inputs.empty() &&
               std::ranges::all_of(node.inputs, [&](std::string_view input) {
                   return input.empty() || value(input).tensors.empty();
               });
    }

    void compute(const Node& node) {
        if (node.outputs.empty() || node.inputs.size() > most_numbers)
            refuse(node, "with " + std::to_string(node.inputs.size()) + " inputs");
        std::vector<const Numbers*> inputs;
        for (std::size_t input = 0; input < node.inputs.size(); ++input)
            inputs.push_back(sizes(node, input));
        values_[node.outputs[0]] = {{}, {}, computed(node, inputs)};
    }

    // Null: an input that was left out.
    const Numbers* sizes(const Node& node, std::size_t input) {
        if (input >= node.inputs.size() || node.inputs[input].empty()) return nullptr;
        Value& found = values_[canonical(node.inputs[input])];
        if (!found.numbers) found.numbers = stored_numbers(numbers(node, input));
        return &*found.numbers;
    }

    // Height and width at each sample, and how many images. check() has yet to look at the model:
    // it may be any level.
    std::vector<Number> sides(const std::vector<std::size_t>& tensors,
                              std::string_view name) const {
        std::vector<Number> sides = sides_;
        sides[1].fill(static_cast<std::int64_t>(channels(tensors)));
        const unsigned level = std::min(model_.tensors[tensors[0]].level, 62U);
        for (std::size_t side = 2; side < 4; ++side) {
            for (std::int64_t& pixels : sides[side]) pixels >>= level;
            for (std::size_t sample = even; fitting_.lacks(name) && sample < samples; ++sample)
                sides[side][sample] -= sides[side][sample] % 2;
        }
        return sides;
    }

    Resized resized(const Node& node) {
        const std::string_view image = node.inputs[0];
        return {node, ends_.operator_set, sides(tensors(node, image), image),
                [this, &node](std::size_t input) { return sizes(node, input); },
                [this, &node](std::size_t input) {
                    if (input >= node.inputs.size() || node.inputs[input].empty())
                        return std::vector<float>{};
                    return weights_.singles(numbers(node, input));
                }};
    }

    void becomes_part(const Node& node, const Layer& layer) {
        model_.tensors[layer.output].name = valid(node.outputs[0]);
        values_[node.outputs[0]] = {{layer.output}, {}};
        fitting_.keeps(node);
    }

    void activate(const Node& node, Activation activation) {
        Layer& layer = layer_before(node);
        if (activation != Activation::relu && fitting_.lacks(node.inputs[0])) fitting_.fails();
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
        check_a_channel(node, bias, outputs);
        layer.bias = weights_.singles(bias);
    }

    // From the number of output channels that weights are said to have; check() looks at it again.
    static std::size_t checked(const Node& node, std::int64_t outputs) {
        if (outputs >= 1) return static_cast<std::size_t>(outputs);
        refuse(node, "with weights of " + std::to_string(outputs) + " output channels");
    }

    unsigned level(const Node& node) const {
        return model_.tensors[tensors(node, node.inputs[0])[0]].level;
    }

    void convolution(const Node& node) {
        const TensorMessage kernel = kernel_of(node, 1);
        check_convolution(node, {kernel.dimensions[2], kernel.dimensions[3]},
                          value(node.inputs[0]).bordered);
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
        fitting_.enlarges(node);
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
        if (!again) return activate(node, Activation::relu);
        values_[node.outputs[0]] = {made, {}};
        fitting_.keeps(node);
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
            check_a_channel(node, tensor, outputs);
            given.push_back(weights_.doubles(tensor));
        }
        if (layer.operation == Operation::transposed_convolution && !fitting_.lacks(node.inputs[0]))
            fitting_.fails();  // what it was padded with is no zero any more
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

    void identity(const Node& node) {
        check_plain(node);
        pass_on(node);
    }

    // Between types of floating point it says no more than how exactly is computed.
    void cast(const Node& node) {
        check_cast(node);
        pass_on(node);
    }

    void shape(const Node& node) {
        const Value& of = value(node.inputs[0]);
        if (of.tensors.empty() && !of.numbers)
            refuse(node, "of " + quoted(node.inputs[0]) + ", which is no image of the graph; " +
                             instead_of("Expand"));
        const Numbers made = shape_of(node, of.numbers ? list(of.numbers->dimensions).values
                                                       : sides(of.tensors, node.inputs[0]));
        values_[node.outputs[0]] = {{}, {}, made};
    }

    void pad(const Node& node) {
        const Resized given = resized(node);
        if (padded(given) != 0) {
            if (fitting_.lacks(node.inputs[0]) || !pads_alike(given)) fitting_.fails();
            values_[node.outputs[0]] = {tensors(node, node.inputs[0]), {}, {}, true};
            return;
        }
        pass_on(node);
        fitting_.pads(node, fit_of(given, sides(value(node.inputs[0]).tensors, "")));
    }

    void cut(const Node& node) {
        if (!check_cut(resized(node))) fitting_.fails();
        pass_on(node);
    }

    // Each pixel to four: a transposed convolution that keeps channels apart.
    void enlarge(const Node& node) {
        if (!check_enlargement(resized(node))) fitting_.fails();
        if (level(node) == 0) refuse(node, "that makes images larger than the graph's input");
        const std::size_t count = channels(tensors(node, node.inputs[0]));
        weights_.spend(node, count, 4);
        Layer& layer = add(node, Operation::transposed_convolution, count, level(node) - 1);
        fitting_.enlarges(node);
        layer.weights.assign(4 * count * count, 0.0F);
        for (std::size_t channel = 0; channel < count; ++channel)
            std::fill_n(
                layer.weights.begin() + static_cast<std::ptrdiff_t>(4 * channel * (count + 1)), 4,
                1.0F);
        layer.bias.assign(count, 0.0F);
    }

    void dropout(const Node& node) {
        check_dropout(node);
        if (node.inputs.size() > 2 && !node.inputs[2].empty() && weights_.boolean(numbers(node, 2)))
            refuse(node, "whose input \"training_mode\" is true; export the model for inference");
        pass_on(node);
    }

    Ends ends_;
    Weights& weights_;
    std::vector<const Node*> nodes_;
    std::map<std::string_view, Value> values_;
    std::map<std::string_view, std::string_view> same_;  // what Identity and Dropout make
    std::map<std::string_view, std::size_t> uses_;
    Fitting fitting_;
    std::vector<Number> sides_;          // of the input, at each sample
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
