// What isn't computed here is told in a sentence with the operator, the node, the attribute and its
// value; so is what no ONNX file may say.
#include <cmath>
#include <stend/unet.hpp>

#include "check.h"
#include "onnx_files.h"

using namespace stend;
using namespace files;

namespace {

// x → that node → y; "w" are 3×3 weights of one channel, "m" of 2×2, "p" of one pixel, "v" [1].
std::string of_node(const Writer& made, std::uint64_t operator_set = 17) {
    Graph graph = one_convolution();
    graph.nodes = {made};
    graph.operator_set = operator_set;
    graph.initializers.push_back(floats("m", {1, 1, 2, 2}, eighths(4)));
    graph.initializers.push_back(floats("p", {1, 1, 1, 1}, {1}));
    graph.initializers.push_back(floats("v", {1}, {-1}));
    return said(graph);
}

std::string of_convolution(const Writer& attribute) {
    return of_node(node("Conv", {"x", "p"}, {"y"}, {attribute}));
}

// x → Conv → c → those nodes → y.
std::string after_convolution(const std::vector<Writer>& nodes) {
    Graph graph = one_convolution();
    graph.nodes = {node("Conv", {"x", "w"}, {"c"}, {integers("pads", {1, 1, 1, 1})}, "conv")};
    graph.nodes.insert(graph.nodes.end(), nodes.begin(), nodes.end());
    graph.initializers.push_back(floats("one", {1}, {1}));
    graph.initializers.push_back(floats("two", {2}, {1, 1}));
    graph.initializers.push_back(floats("minus", {1}, {-1}));
    graph.initializers.push_back(floats("p2", {1, 2, 1, 1}, {1, 1}));
    return said(graph);
}

void a_border_around_the_output_is_not_dropped() {
    const Writer around = wholes("", {8}, {0, 0, 1, 1, 0, 0, 1, 1});
    CHECK(holds(after_convolution({node("Constant", {}, {"around"}, {tensor("value", around)}),
                                   node("Pad", {"c", "around"}, {"y"})}),
                "output \"y\" has zeros padded around it"));
}

void operators_are_named() {
    CHECK(holds(of_node(node("Resize", {"x"}, {"y"}, {}, "up1")),
                "The node \"up1\" is a Resize that does not double height and width"));
    CHECK(holds(of_node(node("Add", {"x", "x"}, {"y"})), "Concat, not added"));
    CHECK(holds(of_node(node("Pad", {"x"}, {"y"})), "is a Pad without its input 2"));
    CHECK(holds(of_node(node("If", {"x"}, {"y"})), "is an If, which is not computed here"));
    CHECK(holds(of_node(node("Conv", {"x", "w"}, {"y"}, {}, "n", "com.microsoft")),
                "of \"com.microsoft\""));
    CHECK(holds(of_node(node("Resize", {"x"}, {"y"}, {}, "")),
                "A node without a name (it makes \"y\")"));
    const std::string bad = of_node(node("Re\xffs\n", {"x"}, {"y"}, {}, "\x1b[2J\xc3"));
    CHECK(holds(bad, "The node \"\\x1b[2J\\xc3\" is a Re\\xffs\\x0a, which"));
}

void attributes_are_named_with_their_values() {
    CHECK(holds(of_convolution(integers("strides", {2, 2})),
                "Conv whose \"strides\" is [2, 2]; only [1, 1]"));
    CHECK(holds(of_convolution(integers("dilations", {2, 1})), "\"dilations\" is [2, 1]"));
    CHECK(holds(of_convolution(integer("group", 4)), "\"group\" is 4; only 1"));
    CHECK(holds(of_convolution(integers("pads", {1, 1, 1, 1})), "\"pads\" is [1, 1, 1, 1]"));
    CHECK(holds(of_convolution(integers("kernel_shape", {3, 3})), "\"kernel_shape\" is [3, 3]"));
    CHECK(holds(of_convolution(text("auto_pad", "ALL")), "\"auto_pad\" is \"ALL\""));
    CHECK(holds(of_convolution(integer("new", 4)), "with the attribute \"new\""));
    CHECK(holds(of_convolution(text("group", "1")), "\"group\" is of another type"));
    CHECK(
        holds(of_node(node("Conv", {"x", "p"}, {"y"}, {integer("group", 1), integer("group", 2)})),
              "\"group\" is given twice"));
    CHECK(holds(of_node(node("Conv", {"x", "w"}, {"y"})), "\"pads\" is [0, 0, 0, 0]; only [1, 1"));
    CHECK(holds(of_node(node("Conv", {"x", "w"}, {"y"}, {text("auto_pad", "VALID")})), "\"pads\""));
    CHECK(holds(of_node(node("Conv", {"x", "m"}, {"y"})), "a kernel of [2, 2]"));
    CHECK(holds(of_node(node("ConvTranspose", {"x", "m"}, {"y"})), "\"strides\" is [1, 1]"));
    CHECK(holds(of_node(node("ConvTranspose", {"x", "w"}, {"y"})), "a kernel of [3, 3]"));
    CHECK(holds(of_node(node("MaxPool", {"x"}, {"y"}, {integers("kernel_shape", {3, 3})})),
                "\"kernel_shape\" is [3, 3]; only [2, 2]"));
    CHECK(holds(of_node(node("MaxPool", {"x"}, {"y"})), "\"kernel_shape\" is []"));
    CHECK(holds(of_node(node("MaxPool", {"x"}, {"y"},
                             {integers("kernel_shape", {2, 2}), integers("strides", {2, 2}),
                              integer("ceil_mode", 1)})),
                "\"ceil_mode\" is 1; only 0"));
    CHECK(holds(of_node(node("Concat", {"x", "x"}, {"y"}, {integer("axis", 2)})), "the axis 2"));
}

void nodes_have_as_many_inputs_as_onnx_says() {
    CHECK(holds(of_node(node("Conv", {"x"}, {"y"})), "is a Conv with 1 inputs"));
    CHECK(holds(of_node(node("Relu", {"x", "x"}, {"y"})), "with 2 inputs"));
    CHECK(holds(of_node(node("Conv", {"x", ""}, {"y"})), "\"\""));
}

void weights_are_held_by_the_file_and_fit() {
    CHECK(holds(of_node(node("Conv", {"x", "x"}, {"y"})), "\"x\" is computed by the graph"));
    CHECK(
        holds(of_node(node("Conv", {"w", "w"}, {"y"})), "which is not made of the graph's input"));
    CHECK(
        holds(of_node(node("Conv", {"x", "v"}, {"y"})), "the dimensions [1]; there must be four"));
    CHECK(holds(of_node(node("Conv", {"x", "p", "p"}, {"y"})), "[1, 1, 1, 1]; it must have [1]"));
    Graph graph = one_convolution();
    graph.initializers = {floats("w", {1, 2, 3, 3}, eighths(18))};
    CHECK(holds(said(graph), "with weights of 2 input channels; its input has 1"));
    graph.initializers = {floats("w", {1, 1, 3, 3}, {1, 2, 3, NAN, 5, 6, 7, 8, 9})};
    CHECK(holds(said(graph), "weights that are no finite numbers"));
    Writer large = header("w", {1, 1, 3, 3}, 11);
    const std::vector<double> huge(9, 1e300);
    large.text(9, raw(huge));
    graph.initializers = {large};
    CHECK(holds(said(graph), "weights that are no finite numbers"));
}

void what_becomes_a_part_of_a_layer_must_follow_it_alone() {
    const auto relu = node("Relu", {"c"}, {"r"}, {}, "relu");
    const auto join = node("Concat", {"c", "r"}, {"j"}, {integer("axis", 1)});
    const auto last = node("Conv", {"j", "p2"}, {"y"}, {}, "last");
    CHECK(holds(after_convolution({relu, join, last}),
                "The node \"relu\" is a Relu of \"c\", which is also used without it"));
    CHECK(holds(of_node(node("Relu", {"x"}, {"y"})), "which no convolution makes"));
    CHECK(holds(after_convolution({node("Sigmoid", {"c"}, {"s"}), node("Relu", {"s"}, {"y"})}),
                "which has an activation already"));
    const auto normal = node("BatchNormalization", {"r", "one", "one", "one", "one"}, {"y"});
    CHECK(holds(after_convolution({relu, normal}), "which has an activation already"));
    CHECK(after_convolution({relu, node("Relu", {"r"}, {"y"})}).empty());
}

void normalizations_have_a_number_for_each_channel_and_a_root() {
    const auto normal = [](const char* scale, const char* variance, const Writer& attribute) {
        return after_convolution({node("BatchNormalization", {"c", scale, "one", "one", variance},
                                       {"y"}, {attribute}, "bn")});
    };
    const Writer epsilon = number("epsilon", 1e-3F);
    CHECK(normal("one", "one", epsilon).empty());
    CHECK(holds(normal("two", "one", epsilon), "\"two\" has the dimensions [2]; it must have [1]"));
    CHECK(holds(normal("one", "minus", epsilon), "a variance of -1.0"));
    CHECK(holds(normal("one", "one", integer("training_mode", 1)), "\"training_mode\" is 1"));
}

void softmax_is_over_channels() {
    const auto softmax = [](std::int64_t axis, std::uint64_t operator_set) {
        Graph graph = one_convolution();
        graph.nodes = {node("Conv", {"x", "w"}, {"c"}, {integers("pads", {1, 1, 1, 1})}),
                       node("Softmax", {"c"}, {"y"}, {integer("axis", axis)})};
        graph.operator_set = operator_set;
        return said(graph);
    };
    CHECK(softmax(1, 13).empty() && softmax(-3, 17).empty());
    CHECK(holds(softmax(-1, 17), "along the axis -1"));
    CHECK(holds(softmax(1, 12), "operator set 12, which is over all pixels"));
    CHECK(holds(after_convolution({node("Softmax", {"c"}, {"y"})}), "along the axis -1"));
}

void dropout_is_for_training() {
    const auto dropout = [](const char* training) {
        Graph graph = one_convolution();
        graph.nodes.push_back(node("Dropout", {"y", "", "t"}, {"z"}));
        graph.outputs = {value("z", {0, 1, 0, 0})};
        Writer flag = header("t", {}, 9);
        flag.text(9, {training, 1});
        graph.initializers.push_back(flag);
        return said(graph);
    };
    CHECK(dropout("\0").empty());
    CHECK(holds(dropout("\1"), "\"training_mode\" is true"));
}

void other_outputs_are_not_there() {
    CHECK(holds(
        after_convolution({node("Dropout", {"c"}, {"d", "mask"}), node("Relu", {"mask"}, {"y"})}),
        "\"mask\" is used, but is not the first output"));
}

void graphs_are_in_one_piece() {
    CHECK(holds(after_convolution({node("Relu", {"nowhere"}, {"y"}, {}, "r")}),
                "The node \"r\" is a Relu whose input \"nowhere\" is made by nothing"));
    CHECK(holds(after_convolution({}), "The graph's output \"y\" is made by nothing"));
    CHECK(holds(after_convolution({node("Relu", {"c"}, {"c"}), node("Relu", {"c"}, {"y"})}),
                "\"c\" has the name of another value"));
    const std::string cycle = after_convolution({node("Concat", {"c", "b"}, {"a"}, {}, "one"),
                                                 node("Relu", {"a"}, {"b"}, {}, "two"),
                                                 node("Relu", {"b"}, {"y"}, {}, "after")});
    CHECK(holds(cycle, "needs its own output") && !holds(cycle, "after"));
    CHECK(holds(after_convolution({node("Identity", {"x"}, {"y"})}), "0 layers"));
    CHECK(holds(after_convolution({node("Concat", {"c", "c"}, {"y"}, {integer("axis", 1)})}),
                "is joined of several tensors"));
    CHECK(holds(after_convolution({node("Identity", {"one"}, {"y"})}), "or of none"));
}

void ends_are_one_input_and_one_output() {
    Graph graph = one_convolution();
    graph.inputs.push_back(value("z", {0, 1, 0, 0}));
    CHECK(holds(said(graph), "the inputs \"x\" and \"z\""));
    graph.inputs.clear();
    CHECK(holds(said(graph), "has no input"));
    graph.inputs = {value("x", {0, 0, 0, 0})};
    CHECK(holds(said(graph), "does not say how many channels"));
    graph.inputs = {value("x", {1, 1, 4})};
    CHECK(holds(said(graph), "four dimensions"));
    graph.inputs = {value("x", {1, 1, 4, 4}, 2)};
    CHECK(holds(said(graph), "of the type 2"));
    graph = one_convolution();
    graph.outputs.push_back(value("x", {1, 1, 4, 4}));
    CHECK(holds(said(graph), "has 2 outputs"));
    graph = one_convolution();
    graph.initializers.push_back(floats("w", {1}, {1}));
    CHECK(holds(said(graph), "two tensors \"w\""));
}

void versions_are_those_that_are_known() {
    Graph graph = one_convolution();
    graph.operator_set = 6;
    CHECK(holds(said(graph), "operator set 6; 7 to 28"));
    graph.operator_set = 99;
    CHECK(holds(said(graph), "operator set 99"));
    graph = one_convolution();
    graph.version = 2;
    CHECK(holds(said(graph), "IR version is 2; 3 to 14"));
    graph = one_convolution();
    Writer set;
    set.integer(2, 9);
    graph.more_of_file.message(8, set);
    CHECK(holds(said(graph), "two versions"));
}

void functions_and_sparse_weights_are_not_read() {
    Graph graph = one_convolution();
    graph.more_of_file.text(25, "");
    CHECK(holds(said(graph), "functions of its own"));
    graph = one_convolution();
    graph.more.text(15, "");
    CHECK(holds(said(graph), "sparse weights"));
    graph = one_convolution();
    graph.more_of_file.text(7, "");
    CHECK(holds(said(graph), "two graphs"));
}

void images_are_never_larger_than_the_input() {
    CHECK(holds(of_node(node("ConvTranspose", {"x", "m"}, {"y"}, {integers("strides", {2, 2})})),
                "makes images larger"));
}

}  // namespace

int main() {
    a_border_around_the_output_is_not_dropped();
    operators_are_named();
    attributes_are_named_with_their_values();
    nodes_have_as_many_inputs_as_onnx_says();
    weights_are_held_by_the_file_and_fit();
    what_becomes_a_part_of_a_layer_must_follow_it_alone();
    normalizations_have_a_number_for_each_channel_and_a_root();
    softmax_is_over_channels();
    dropout_is_for_training();
    other_outputs_are_not_there();
    graphs_are_in_one_piece();
    ends_are_one_input_and_one_output();
    versions_are_those_that_are_known();
    functions_and_sparse_weights_are_not_read();
    images_are_never_larger_than_the_input();
    return 0;
}
