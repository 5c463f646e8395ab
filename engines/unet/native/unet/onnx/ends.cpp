// Before IR version 4 whatever a graph holds was listed as an input, too; it may still be.
#include "unet/onnx/ends.h"

#include <stend/unet/onnx.hpp>
#include <string>

#include "unet/onnx/attributes.h"
#include "unet/onnx/text.h"

namespace stend::unet::onnx {
namespace {

constexpr std::int64_t oldest_version = 3, newest_version = 14;
constexpr std::int64_t oldest_set = 7, newest_set = 28;
// As check() has it; joined as often as they may be, their number has no more than 64 bits.
constexpr std::int64_t most_channels = 65536;

std::string from_to(std::int64_t first, std::int64_t last) {
    return std::to_string(first) + " to " + std::to_string(last) + " are read here";
}

bool is_onnx(const OperatorSet& set) {
    return set.domain.empty() || set.domain == "ai.onnx";
}

std::int64_t operator_set_of(const File& file) {
    const OperatorSet* found = nullptr;
    for (const OperatorSet& set : file.operator_sets) {
        if (!is_onnx(set)) continue;
        if (found != nullptr && found->version != set.version)
            throw BadModel("The file names two versions of ONNX's operator set, " +
                           std::to_string(found->version) + " and " + std::to_string(set.version) +
                           "; it needs one.");
        found = &set;
    }
    if (found == nullptr)
        throw BadModel("The file does not say which of ONNX's operator sets it uses.");
    if (found->version < oldest_set || found->version > newest_set)
        throw BadModel("The file uses ONNX's operator set " + std::to_string(found->version) +
                       "; " + from_to(oldest_set, newest_set) + ".");
    return found->version;
}

const Graph& graph_of(const File& file) {
    if (!file.graph) throw BadModel("The file is no ONNX model, or an empty one: it has no graph.");
    if (file.version < oldest_version || file.version > newest_version)
        throw BadModel("The file's IR version is " + std::to_string(file.version) + "; " +
                       from_to(oldest_version, newest_version) + ".");
    if (file.functions)
        throw BadModel(
            "The file has functions of its own, which are not computed here; put their nodes into "
            "the graph first (onnx.inliner).");
    if (file.graph->sparse_initializers)
        throw BadModel("The graph has sparse weights, which are not read here; make them dense.");
    return *file.graph;
}

const Named& sole_input(const Graph& graph, const std::map<std::string_view, Piece>& initializers) {
    const Named* sole = nullptr;
    for (const Named& input : graph.inputs) {
        if (initializers.contains(input.name)) continue;
        if (sole != nullptr)
            throw BadModel("The graph has the inputs " + quoted(sole->name) + " and " +
                           quoted(input.name) + "; networks of one are computed here.");
        sole = &input;
    }
    if (sole == nullptr || sole->name.empty()) throw BadModel("The graph has no input.");
    return *sole;
}

std::vector<std::int64_t> sides_of(const Named& input) {
    const Shape shape = parse_shape(input);
    const std::string which = "The graph's input " + quoted(input.name);
    // TensorProto.DataType: float32, float16, float64, bfloat16
    if (shape.element != 1 && shape.element != 10 && shape.element != 11 && shape.element != 16)
        throw BadModel(which + " is of the type " + std::to_string(shape.element) +
                       "; it must be of float32 (1), float16 (10), float64 (11) or bfloat16 (16).");
    if (!shape.dimensions || shape.dimensions->size() != 4)
        throw BadModel(which +
                       " is not said to have four dimensions: images, channels, height, width.");
    if ((*shape.dimensions)[1] < 1)
        throw BadModel(which +
                       " does not say how many channels it has; export the model with their "
                       "number fixed.");
    if ((*shape.dimensions)[1] > most_channels)
        throw BadModel(which + " has " + std::to_string((*shape.dimensions)[1]) +
                       " channels; at most " + std::to_string(most_channels) +
                       " are computed here.");
    return *shape.dimensions;
}

}  // namespace

Ends ends_of(const File& file) {
    const Graph& graph = graph_of(file);
    Ends ends{{}, {}, {}, {}, operator_set_of(file)};
    for (const Named& initializer : graph.initializers)
        if (initializer.name.empty() ||
            !ends.initializers.emplace(initializer.name, initializer.message).second)
            throw BadModel("The graph holds two tensors " + quoted(initializer.name) +
                           ", or one without a name.");
    const Named& input = sole_input(graph, ends.initializers);
    ends.input = input.name;
    ends.sides = sides_of(input);
    if (graph.outputs.size() != 1 || graph.outputs[0].name.empty())
        throw BadModel(
            "The graph has " + std::to_string(graph.outputs.size()) +
            " outputs; networks of one, with a name, are computed here: export the model "
            "with its last one alone.");
    ends.output = graph.outputs[0].name;
    return ends;
}

}  // namespace stend::unet::onnx
