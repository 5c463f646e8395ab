// A layer becomes up to three nodes: Concat, what it computes, and its activation.
#include <cstdint>
#include <map>
#include <stdexcept>
#include <stend/unet/onnx.hpp>
#include <string>
#include <utility>
#include <vector>

#include "unet/onnx/text.h"
#include "unet/onnx/wire.h"
#include "unet/onnx/written.h"

namespace stend::unet {
namespace {

using onnx::Writer;

constexpr std::size_t most_bytes = (std::size_t{1} << 31U) - 1;  // protobuf's limit
constexpr std::uint64_t float32 = 1, int64 = 7;                  // TensorProto.DataType

std::int64_t whole(std::size_t number) {
    return static_cast<std::int64_t>(number);
}

// Names of values, each given once.
class Names {
public:
    std::string unique(const std::string& wanted) {
        const std::string name = wanted.empty() ? "value" : onnx::valid(wanted);
        std::string tried = name;
        while (!next_.try_emplace(tried, 2).second)
            tried = name + "_" + std::to_string(next_[name]++);
        return tried;
    }

private:
    std::map<std::string, std::size_t> next_;  // of each name that is given, the number to try
};

// Of any number and size.
Writer images(const std::string& name, std::size_t channels) {
    return onnx::value(name, {{0, "count"}, {whole(channels)}, {0, "height"}, {0, "width"}},
                       float32);
}

class Graph {
public:
    explicit Graph(const Model& model) : model_(model) {
        graph_.reserve(4 * parameters(model) + 1024 * model.layers.size());
        for (const Tensor& tensor : model.tensors) values_.push_back(names_.unique(tensor.name));
        if (model.pads_to_fit) {
            none_ = initializer("pads.none", std::vector<std::int64_t>{0, 0, 0, 0}, {4}, int64);
            sides_ = initializer("pads.sides", std::vector<std::int64_t>{0, 0, 1, 1}, {4}, int64);
        }
        graph_.text(2, "unet");
        for (const Layer& layer : model.layers) add(layer);
        graph_.message(11, images(values_[0], model.tensors[0].channels));
        graph_.message(12, images(values_[model.output], model.tensors[model.output].channels));
    }

    const Writer& written() const { return graph_; }

private:
    void node(std::string_view operation, const std::string& name,
              const std::vector<std::string>& inputs, const std::string& output,
              const std::vector<Writer>& attributes) {
        graph_.message(1, onnx::node(operation, inputs, {output}, name, attributes));
    }

    template <typename Number>
    std::string initializer(const std::string& wanted, const std::vector<Number>& numbers,
                            const std::vector<std::int64_t>& dimensions,
                            std::uint64_t element = float32) {
        const std::string name = names_.unique(wanted);
        graph_.message(5, onnx::header(name, dimensions, element), 9,
                       std::as_bytes(std::span(numbers)));
        return name;
    }

    std::string joined(const Layer& layer, const std::string& name) {
        std::vector<std::string> inputs;
        for (const std::size_t input : layer.inputs) inputs.push_back(values_[input]);
        if (inputs.size() == 1) return inputs[0];
        const std::string output = names_.unique(name + ".joined");
        node("Concat", name + ".concat", inputs, output, {onnx::integer("axis", 1)});
        return output;
    }

    // A tensor as large as a level is: the input, or what the first pooling to it makes.
    const std::string& of_level(unsigned level) const {
        for (const Layer& layer : model_.layers)
            if (level > 0 && layer.operation == Operation::max_pooling &&
                model_.tensors[layer.output].level == level)
                return values_[layer.output];
        return values_[0];
    }

    // Behind what a transposed convolution made, what it lacks of its level.
    void pad_to_fit(const std::string& made, unsigned level, const std::string& name,
                    const std::string& output) {
        const auto next = [&](std::string_view operation, const std::vector<std::string>& inputs,
                              const std::vector<Writer>& attributes) {
            const std::string value = names_.unique(name + "." + std::string(operation));
            node(operation, value, inputs, value, attributes);
            return value;
        };
        const std::string wanted = next("Shape", {of_level(level)}, {}),
                          given = next("Shape", {made}, {}),
                          lacking = next("Sub", {wanted, given}, {}),
                          behind = next("Mul", {lacking, sides_}, {}),
                          pads = next("Concat", {none_, behind}, {onnx::integer("axis", 0)});
        node("Pad", name + ".pad", {made, pads}, output, {});
    }

    // What the layer computes, before its activation.
    void compute(const Layer& layer, const std::string& name, const std::string& output) {
        const std::string input = joined(layer, name);
        if (layer.operation == Operation::max_pooling)
            return node(
                "MaxPool", name, {input}, output,
                {onnx::integers("kernel_shape", {2, 2}), onnx::integers("strides", {2, 2})});
        const std::size_t taps = layer.kernel * layer.kernel;
        const std::int64_t outputs = whole(layer.bias.size()), side = whole(layer.kernel),
                           inputs = whole(layer.weights.size() / (layer.bias.size() * taps));
        const bool transposed = layer.operation == Operation::transposed_convolution;
        const std::string weights =
            initializer(name + ".weight", layer.weights,
                        {transposed ? inputs : outputs, transposed ? outputs : inputs, side, side});
        const std::string bias = initializer(name + ".bias", layer.bias, {outputs});
        if (transposed) {
            const std::string made =
                model_.pads_to_fit ? names_.unique(name + ".enlarged") : output;
            node("ConvTranspose", name, {input, weights, bias}, made,
                 {onnx::integers("kernel_shape", {2, 2}), onnx::integers("strides", {2, 2})});
            if (model_.pads_to_fit)
                pad_to_fit(made, model_.tensors[layer.output].level, name, output);
            return;
        }
        const std::int64_t zeros = side / 2;
        node("Conv", name, {input, weights, bias}, output,
             {onnx::integers("kernel_shape", {side, side}),
              onnx::integers("pads", {zeros, zeros, zeros, zeros})});
    }

    void add(const Layer& layer) {
        const std::string name = onnx::valid(layer.name), &output = values_[layer.output];
        if (layer.activation == Activation::none) return compute(layer, name, output);
        const std::string before = names_.unique(name + ".linear");
        compute(layer, name, before);
        if (layer.activation == Activation::softmax)
            node("Softmax", name + ".softmax", {before}, output, {onnx::integer("axis", 1)});
        else if (layer.activation == Activation::sigmoid)
            node("Sigmoid", name + ".sigmoid", {before}, output, {});
        else
            node("Relu", name + ".relu", {before}, output, {});
    }

    const Model& model_;
    Names names_;
    std::vector<std::string> values_;  // of each tensor
    std::string none_, sides_;
    Writer graph_;
};

}  // namespace

std::vector<std::byte> to_onnx(const Model& model, std::span<const Property> properties) {
    check(model);
    const Graph graph(model);
    Writer file, operator_set;
    file.reserve(graph.written().size() + 4096);
    file.integer(1, 8);  // the IR version
    file.text(2, "stend");
    file.message(7, graph.written());
    operator_set.text(1, "");
    operator_set.integer(2, 17);
    file.message(8, operator_set);
    for (const Property& property : properties) {
        Writer entry;
        entry.text(1, onnx::valid(property.key));
        entry.text(2, onnx::valid(property.value));
        file.message(14, entry);
    }
    if (file.size() > most_bytes)
        throw std::invalid_argument("The model would take " + std::to_string(file.size()) +
                                    " bytes; an ONNX file has at most " +
                                    std::to_string(most_bytes) + ".");
    return std::move(file).finished();
}

}  // namespace stend::unet
