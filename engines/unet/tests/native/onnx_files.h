// ONNX files for tests, message by message: good ones and such as no exporter makes. Comes in: what
// they shall say; goes out: their bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stend/unet/onnx.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "unet/onnx/wire.h"
#include "unet/onnx/written.h"

namespace files {

using stend::unet::onnx::header;
using stend::unet::onnx::integer;
using stend::unet::onnx::integers;
using stend::unet::onnx::Writer;
using Bytes = std::vector<std::byte>;
using Names = std::vector<std::string>;

// AttributeProto. The last number is the type.
inline Writer number(std::string_view name, float value) {
    Writer attribute;
    attribute.text(1, name);
    attribute.single(2, value);
    attribute.integer(20, 1);
    return attribute;
}

inline Writer text(std::string_view name, std::string_view value) {
    Writer attribute;
    attribute.text(1, name);
    attribute.text(4, value);
    attribute.integer(20, 3);
    return attribute;
}

inline Writer tensor(std::string_view name, const Writer& value) {
    Writer attribute;
    attribute.text(1, name);
    attribute.message(5, value);
    attribute.integer(20, 4);
    return attribute;
}

template <class Number>
std::string_view raw(const std::vector<Number>& numbers) {
    return {reinterpret_cast<const char*>(numbers.data()), sizeof(Number) * numbers.size()};
}

inline Writer floats(std::string_view name, const std::vector<std::int64_t>& dimensions,
                     const std::vector<float>& numbers) {
    Writer tensor = header(name, dimensions, 1);
    tensor.text(9, raw(numbers));
    return tensor;
}

// TensorProto of int64.
inline Writer wholes(std::string_view name, const std::vector<std::int64_t>& dimensions,
                     const std::vector<std::int64_t>& numbers) {
    Writer tensor = header(name, dimensions, 7);
    tensor.text(9, raw(numbers));
    return tensor;
}

// 1/8, 2/8, …: exact in every type, and different from each other.
inline std::vector<float> eighths(std::size_t count) {
    std::vector<float> numbers(count);
    for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<float>(i + 1) / 8;
    return numbers;
}

inline Writer node(std::string_view operation, const Names& inputs, const Names& outputs,
                   const std::vector<Writer>& attributes = {}, std::string_view name = "n",
                   std::string_view domain = "") {
    Writer node = stend::unet::onnx::node(operation, inputs, outputs, name, attributes);
    if (!domain.empty()) node.text(7, domain);
    return node;
}

// Dimensions of 0 have a name instead of a number.
inline Writer value(std::string_view name, const std::vector<std::int64_t>& dimensions,
                    std::uint64_t element = 1) {
    std::vector<stend::unet::onnx::Dimension> named;
    for (const std::int64_t each : dimensions) named.push_back({each, "any"});
    return stend::unet::onnx::value(name, named, element);
}

struct Graph {
    std::vector<Writer> nodes, initializers;
    std::vector<Writer> inputs = {value("x", {0, 1, 0, 0})}, outputs = {value("y", {0, 1, 0, 0})};
    std::uint64_t version = 8, operator_set = 17;
    Writer more = {};          // fields of the graph
    Writer more_of_file = {};  // fields of the file

    Bytes bytes() const {
        Writer graph = more;
        graph.text(2, "a test");
        for (const Writer& each : nodes) graph.message(1, each);
        for (const Writer& each : initializers) graph.message(5, each);
        for (const Writer& each : inputs) graph.message(11, each);
        for (const Writer& each : outputs) graph.message(12, each);
        Writer set, file = more_of_file;
        set.text(1, "");
        set.integer(2, operator_set);
        file.integer(1, version);
        file.message(7, graph);
        file.message(8, set);
        return std::move(file).finished();
    }
};

// 3×3 from x to y, of one channel, padded; weights 1/8 … 9/8.
inline Graph one_convolution() {
    Graph graph;
    graph.nodes = {node("Conv", {"x", "w"}, {"y"}, {integers("pads", {1, 1, 1, 1})}, "conv")};
    graph.initializers = {floats("w", {1, 1, 3, 3}, eighths(9))};
    return graph;
}

// x → Dropout → Conv → BatchNormalization → Relu → MaxPool → ConvTranspose, beside it → Concat →
// Conv 1×1 → Softmax, through Identity nodes, weights in Constants, all in the wrong order.
inline Graph as_exported() {
    Graph graph;
    graph.nodes = {
        node("Softmax", {"logits"}, {"y.before"}, {integer("axis", -3)}),
        node("Identity", {"y.before"}, {"y"}),
        node("Conv", {"joined.again", "w3", "b3"}, {"logits"}, {}, "last"),
        node("Identity", {"joined"}, {"joined.again"}),
        node("Concat", {"relu", "up.n"}, {"joined"}, {integer("axis", 1)}),
        node("BatchNormalization", {"up", "g", "s", "m", "v"}, {"up.n"},
             {number("momentum", 0.9F)}),
        node("ConvTranspose", {"pool", "w2", "b2"}, {"up"},
             {integers("strides", {2, 2}), integers("kernel_shape", {2, 2}),
              integers("output_padding", {0, 0}), integers("pads", {0, 0, 0, 0})},
             "up"),
        node("MaxPool", {"relu"}, {"pool", ""},
             {integers("strides", {2, 2}), integers("kernel_shape", {2, 2}),
              integer("ceil_mode", 0), integer("storage_order", 0)},
             "pool"),
        node("Relu", {"normal"}, {"relu"}),
        node("Relu", {"unused"}, {"also unused"}),
        node("BatchNormalization", {"made", "g", "s", "m", "v"}, {"normal"},
             {number("epsilon", 0.25F)}),
        node("Conv", {"dropped", "w1.same"}, {"made"}, {integers("pads", {1, 1, 1, 1})}, "first"),
        node("Identity", {"w1"}, {"w1.same"}),
        node("Dropout", {"x"}, {"dropped", "mask"}),
        node("Constant", {}, {"w1"}, {tensor("value", floats("", {2, 1, 3, 3}, eighths(18)))}),
    };
    graph.initializers = {
        floats("w2", {2, 2, 2, 2}, eighths(16)),
        floats("b2", {2}, {3, -1}),
        floats("w3", {1, 4, 1, 1}, eighths(4)),
        floats("b3", {1}, {7}),
        floats("g", {2}, {2, 4}),
        floats("s", {2}, {1, -1}),
        floats("m", {2}, {0.5F, 0.25F}),
        floats("v", {2}, {3.75F, 15.75F}),
    };
    return graph;
}

// x → Conv → MaxPool → Resize by 2 → Pad, beside Slice of the convolution → Concat → Conv 1×1:
// padded by what sides differ, and cut to one of them.
inline Graph padded_and_cut() {
    Graph graph;
    const auto to = [](std::int64_t type) { return integer("to", type); };
    graph.nodes = {
        node("Conv", {"x", "w"}, {"c"}, {integers("pads", {1, 1, 1, 1})}, "first"),
        node("MaxPool", {"c"}, {"pool"},
             {integers("strides", {2, 2}), integers("kernel_shape", {2, 2})}),
        node("Resize", {"pool", "", "twice"}, {"up"},
             {text("mode", "nearest"), text("coordinate_transformation_mode", "asymmetric"),
              text("nearest_mode", "floor")},
             "enlarging"),
        node("Shape", {"c"}, {"sides"}),
        node("Gather", {"sides", "two"}, {"high"}, {integer("axis", 0)}),
        node("Shape", {"up"}, {"sides.up"}, {integer("start", 2), integer("end", 3)}),
        node("Squeeze", {"sides.up"}, {"high.up"}),
        node("Sub", {"high", "high.up"}, {"less"}),
        node("Div", {"less", "two"}, {"half"}),
        node("Unsqueeze", {"half", "zero"}, {"half.list"}),
        node("ConstantOfShape", {"seven"}, {"zeros"}, {tensor("value", wholes("", {1}, {0}))}),
        node("Concat", {"half.list", "zeros"}, {"eight"}, {integer("axis", 0)}),
        node("Reshape", {"eight", "pairs"}, {"table"}),
        node("Slice", {"table", "minus", "least", "zero", "minus"}, {"turned"}),
        node("Transpose", {"turned"}, {"columns"}, {integers("perm", {1, 0})}),
        node("Reshape", {"columns", "minus"}, {"flat"}),
        node("Cast", {"flat"}, {"pads"}, {to(7)}),
        node("Pad", {"up", "pads", ""}, {"padded"}, {text("mode", "constant")}),
        node("Unsqueeze", {"high.up", "zero"}, {"end"}),
        node("Slice", {"c", "zero", "end", "axis"}, {"cut"}),
        node("Concat", {"cut", "padded"}, {"joined"}, {integer("axis", 1)}),
        node("Conv", {"joined", "w1"}, {"y"}, {}, "last"),
    };
    graph.initializers = {
        floats("w", {2, 1, 3, 3}, eighths(18)),
        floats("w1", {1, 4, 1, 1}, eighths(4)),
        floats("twice", {4}, {1, 1, 2, 2}),
        wholes("two", {}, {2}),
        wholes("zero", {1}, {0}),
        wholes("seven", {1}, {7}),
        wholes("pairs", {2}, {-1, 2}),
        wholes("minus", {1}, {-1}),
        wholes("least", {1}, {-INT64_MAX}),
        wholes("axis", {1}, {2}),
    };
    return graph;
}

inline stend::unet::Model read(const Graph& graph) {
    return stend::unet::parse_onnx(graph.bytes()).model;
}

// The sentence with which it's refused; "" when it is not.
inline std::string said(const Bytes& bytes, const std::filesystem::path& folder = {}) {
    try {
        stend::unet::parse_onnx(bytes, folder);
    } catch (const stend::unet::BadModel& error) {
        return error.what();
    }
    return "";
}

inline std::string said(const Graph& graph, const std::filesystem::path& folder = {}) {
    return said(graph.bytes(), folder);
}

inline bool holds(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

}  // namespace files
