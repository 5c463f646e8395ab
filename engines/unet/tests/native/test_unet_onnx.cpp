// ONNX files as exporters make them become the models that they mean, and models the same files'
// models again.
#include <bit>
#include <cmath>
#include <stend/unet.hpp>

#include "check.h"
#include "onnx_files.h"

using namespace stend;
using namespace files;

namespace {

bool same(const unet::Layer& a, const unet::Layer& b) {
    return a.name == b.name && a.operation == b.operation && a.inputs == b.inputs &&
           a.output == b.output && a.kernel == b.kernel && a.activation == b.activation &&
           a.weights == b.weights && a.bias == b.bias;
}

bool same(const unet::Tensor& a, const unet::Tensor& b) {
    return a.name == b.name && a.channels == b.channels && a.level == b.level;
}

bool same(const unet::Model& a, const unet::Model& b) {
    const auto alike = [](const auto& x, const auto& y) { return same(x, y); };
    return a.output == b.output && std::ranges::equal(a.layers, b.layers, alike) &&
           std::ranges::equal(a.tensors, b.tensors, alike);
}

void a_model_is_the_same_after_it_was_written_and_read() {
    for (const auto last : {unet::Activation::none, unet::Activation::relu,
                            unet::Activation::sigmoid, unet::Activation::softmax}) {
        unet::Model model = unet::classic({.inputs = 3, .channels = 4, .depth = 3});
        model.layers.back().activation = last;
        const std::vector<unet::Property> properties = {{"stend.normalization", "none"},
                                                        {"ключ", "значение\n"}};
        const auto read = unet::parse_onnx(unet::to_onnx(model, properties));
        CHECK(same(read.model, model));
        CHECK(read.properties.size() == 2 && read.properties[1].key == "ключ" &&
              read.properties[1].value == "значение\n");
    }
}

void names_that_come_twice_are_told_apart_in_files() {
    unet::Model model = unet::classic({.channels = 2, .depth = 1});
    for (unet::Tensor& tensor : model.tensors) tensor.name = "same";
    for (unet::Layer& layer : model.layers) layer.name = "same";
    model.tensors[2].name = "";
    model.tensors[3].name = "\xff";
    const unet::Model read = unet::parse_onnx(unet::to_onnx(model)).model;
    CHECK(read.layers.size() == model.layers.size());
    for (std::size_t i = 0; i < read.layers.size(); ++i)
        CHECK(read.layers[i].weights == model.layers[i].weights && read.layers[i].name == "same");
}

void a_model_that_is_none_is_not_written() {
    unet::Model model = unet::classic({.channels = 2, .depth = 1});
    model.layers[1].bias.pop_back();
    CHECK_THROWS(std::invalid_argument, unet::to_onnx(model));
}

void attributes_may_be_left_out_or_say_what_is_so_anyway() {
    Graph graph = one_convolution();
    const unet::Model model = read(graph);
    CHECK(model.layers.size() == 1 && model.layers[0].weights == eighths(9));
    CHECK(model.layers[0].bias == std::vector<float>{0} && model.layers[0].name == "conv");
    CHECK(model.tensors[0].name == "x" && model.tensors[1].name == "y");
    graph.nodes = {node("Conv", {"x", "w", ""}, {"y"},
                        {integers("pads", {1, 1, 1, 1}), integers("kernel_shape", {3, 3}),
                         integers("dilations", {1, 1}), integers("strides", {1, 1}),
                         integer("group", 1), text("auto_pad", "NOTSET")},
                        "conv", "ai.onnx")};
    CHECK(same(read(graph), model));
    for (const char* way : {"SAME_UPPER", "SAME_LOWER"}) {
        graph.nodes = {node("Conv", {"x", "w"}, {"y"}, {text("auto_pad", way)}, "conv")};
        CHECK(same(read(graph), model));
    }
    graph.initializers = {floats("w", {1, 1, 1, 1}, {0.5F})};
    for (const char* way : {"SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET"}) {
        graph.nodes = {node("Conv", {"x", "w"}, {"y"}, {text("auto_pad", way)})};
        CHECK(read(graph).layers[0].kernel == 1);
    }
}

void integers_may_be_packed() {
    Graph graph = one_convolution();
    Writer pads;
    pads.text(1, "pads");
    pads.text(8, {"\1\1\1\1", 4});
    pads.integer(20, 7);
    graph.nodes = {node("Conv", {"x", "w"}, {"y"}, {pads}, "conv")};
    CHECK(read(graph).layers.size() == 1);
}

void the_oldest_files_list_what_they_hold_as_inputs() {
    Graph graph = one_convolution();
    graph.inputs = {value("w", {1, 1, 3, 3}), value("x", {1, 1, 256, 256})};
    graph.version = 3;
    graph.operator_set = 7;
    CHECK(read(graph).layers.size() == 1);
}

void exported_graphs_become_layers() {
    const unet::Model model = read(as_exported());
    CHECK(model.layers.size() == 4);
    const auto &first = model.layers[0], &pool = model.layers[1], &up = model.layers[2],
               &last = model.layers[3];
    CHECK(first.name == "first" && first.activation == unet::Activation::relu);
    CHECK(model.tensors[first.output].name == "relu");
    CHECK(pool.operation == unet::Operation::max_pooling && pool.inputs[0] == first.output);
    CHECK(up.operation == unet::Operation::transposed_convolution);
    CHECK(up.activation == unet::Activation::none);
    CHECK(last.inputs == (std::vector{first.output, up.output}) && last.bias[0] == 7);
    CHECK(last.activation == unet::Activation::softmax && model.tensors[last.output].name == "y");
}

void what_is_padded_and_cut_by_sizes_is_left_out() {
    const unet::Model model = read(padded_and_cut());
    CHECK(model.layers.size() == 4);
    const auto &first = model.layers[0], &up = model.layers[2], &last = model.layers[3];
    CHECK(up.name == "enlarging" && up.operation == unet::Operation::transposed_convolution);
    CHECK(up.weights == (std::vector<float>{1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1}));
    CHECK(last.inputs == (std::vector{first.output, up.output}));
}

// Variance and epsilon make 4 and 16: the channels' factors are 2/2 and 4/4; with other epsilon the
// same in double.
void normalizations_become_weights() {
    const unet::Model model = read(as_exported());
    const auto &first = model.layers[0], &up = model.layers[2];
    CHECK(first.weights == eighths(18));
    CHECK(first.bias == (std::vector<float>{0.5F, -1.25F}));
    const double epsilon = 1e-5F;
    const double factors[2] = {2 / std::sqrt(3.75 + epsilon), 4 / std::sqrt(15.75 + epsilon)};
    for (std::size_t i = 0; i < 16; ++i)  // [input][output][2][2]
        CHECK(up.weights[i] ==
              static_cast<float>(static_cast<double>(i + 1) / 8 * factors[i / 4 % 2]));
    CHECK(up.bias[0] == static_cast<float>((3 - 0.5) * factors[0] + 1));
    CHECK(up.bias[1] == static_cast<float>((-1 - 0.25) * factors[1] - 1));
}

unet::Model with_weights(const Writer& weights) {
    Graph graph = one_convolution();
    graph.initializers = {weights};
    return read(graph);
}

Writer with_field(Writer tensor, std::uint32_t number, std::string_view bytes) {
    tensor.text(number, bytes);
    return tensor;
}

void weights_are_read_of_every_type_and_from_every_place() {
    const std::vector<std::int64_t> shape = {1, 1, 3, 3};
    const std::vector<float> expected = eighths(9);
    std::vector<double> wide(expected.begin(), expected.end());
    std::vector<std::uint16_t> brains;
    for (const float each : expected)
        brains.push_back(static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(each) >> 16U));
    const std::vector<std::uint16_t> halves = {0x3000, 0x3400, 0x3600, 0x3800, 0x3900,
                                               0x3A00, 0x3B00, 0x3C00, 0x3C80};
    std::string packed_brains, packed_halves;
    for (std::size_t i = 0; i < 9; ++i) {
        for (auto [into, value] :
             {std::pair{&packed_brains, brains[i]}, {&packed_halves, halves[i]}})
            *into +=
                {static_cast<char>(0x80 | (value & 0x7F)),
                 static_cast<char>(0x80 | (value >> 7 & 0x7F)), static_cast<char>(value >> 14)};
    }
    const Writer single = header("w", shape, 1), twofold = header("w", shape, 11),
                 half = header("w", shape, 10), brain = header("w", shape, 16);
    Writer one_by_one = single;
    for (const float each : expected) one_by_one.single(4, each);
    for (const Writer& weights :
         {with_field(single, 9, raw(expected)), with_field(single, 4, raw(expected)), one_by_one,
          with_field(twofold, 9, raw(wide)), with_field(twofold, 10, raw(wide)),
          with_field(half, 9, raw(halves)), with_field(half, 5, packed_halves),
          with_field(brain, 9, raw(brains)), with_field(brain, 5, packed_brains)})
        CHECK(with_weights(weights).layers[0].weights == expected);
}

void halves_are_exact_down_to_the_smallest() {
    const std::vector<std::uint16_t> halves = {0x0001, 0x8001, 0x03FF, 0x0400, 0x7BFF,
                                               0xFBFF, 0x0000, 0x3C01, 0x4248};
    const std::vector<float> expected = {0x1p-24F,  -0x1p-24F, 0x1.FF8p-15F,  0x1p-14F, 65504,
                                         -65504.0F, 0,         1.0009765625F, 3.140625F};
    const unet::Model model =
        with_weights(with_field(header("w", {1, 1, 3, 3}, 10), 9, raw(halves)));
    CHECK(model.layers[0].weights == expected);
}

}  // namespace

int main() {
    a_model_is_the_same_after_it_was_written_and_read();
    names_that_come_twice_are_told_apart_in_files();
    a_model_that_is_none_is_not_written();
    attributes_may_be_left_out_or_say_what_is_so_anyway();
    integers_may_be_packed();
    the_oldest_files_list_what_they_hold_as_inputs();
    exported_graphs_become_layers();
    what_is_padded_and_cut_by_sizes_is_left_out();
    normalizations_become_weights();
    weights_are_read_of_every_type_and_from_every_place();
    halves_are_exact_down_to_the_smallest();
    return 0;
}
