// _unet.Model: tensors and layers as plain data, without the weights; made from a description or
// an ONNX file, and written as one.
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "unet.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings::unet {
namespace {

using stend::unet::Layer;
using stend::unet::Property;
using stend::unet::Tensor;

// A layer without its weights, which are up to hundreds of megabytes.
struct LayerFacts {
    std::string name;
    std::string_view operation, activation;
    std::vector<std::size_t> inputs;
    std::size_t output, kernel, weights, biases;
};

LayerFacts facts(const Layer& layer) {
    return {.name = layer.name,
            .operation = name(layer.operation),
            .activation = name(layer.activation),
            .inputs = layer.inputs,
            .output = layer.output,
            .kernel = layer.kernel,
            .weights = layer.weights.size(),
            .biases = layer.bias.size()};
}

std::vector<LayerFacts> layers(const Model& model) {
    std::vector<LayerFacts> found;
    for (const Layer& layer : model.model.layers) found.push_back(facts(layer));
    return found;
}

std::size_t side(std::int64_t pixels) {
    if (pixels < 0)
        throw std::invalid_argument("An image's side is " + std::to_string(pixels) +
                                    " pixels; it can't be below 0.");
    return static_cast<std::size_t>(pixels);
}

double direct_flops(const Model& model, std::int64_t height, std::int64_t width) {
    return stend::unet::direct_flops(model.model, side(height), side(width));
}

std::vector<double> layer_flops(const Model& model, std::int64_t height, std::int64_t width) {
    std::vector<double> flops;
    for (const Layer& layer : model.model.layers)
        flops.push_back(stend::unet::direct_flops(model.model, layer, side(height), side(width)));
    return flops;
}

nb::dict properties(const Model& model) {
    nb::dict found;
    for (const Property& property : model.properties)
        found[text(property.key)] = text(property.value);
    return found;
}

Model classic(std::size_t inputs, std::size_t outputs, std::size_t channels, unsigned depth,
              std::uint64_t seed) {
    return {stend::unet::classic({inputs, outputs, channels, depth, seed}), {}};
}

void bind_parts(nb::module_& module) {
    nb::class_<Tensor>(module, "Tensor")
        .def_prop_ro("name", [](const Tensor& tensor) { return text(tensor.name); })
        .def_ro("channels", &Tensor::channels)
        .def_ro("level", &Tensor::level);
    nb::class_<LayerFacts>(module, "Layer")
        .def_prop_ro("name", [](const LayerFacts& layer) { return text(layer.name); })
        .def_ro("operation", &LayerFacts::operation)
        .def_ro("activation", &LayerFacts::activation)
        .def_ro("inputs", &LayerFacts::inputs)
        .def_ro("output", &LayerFacts::output)
        .def_ro("kernel", &LayerFacts::kernel)
        .def_ro("weights", &LayerFacts::weights)
        .def_ro("biases", &LayerFacts::biases);
}

}  // namespace

nb::str text(std::string_view bytes) {
    return nb::steal<nb::str>(
        PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "replace"));
}

std::string_view name(stend::unet::Operation operation) {
    using enum stend::unet::Operation;
    switch (operation) {
        case convolution:
            return "convolution";
        case transposed_convolution:
            return "transposed convolution";
        case max_pooling:
            return "max pooling";
    }
    return "";
}

std::string_view name(stend::unet::Activation activation) {
    using enum stend::unet::Activation;
    switch (activation) {
        case none:
            return "none";
        case relu:
            return "relu";
        case sigmoid:
            return "sigmoid";
        case softmax:
            return "softmax";
    }
    return "";
}

void bind_model(nb::module_& module) {
    bind_parts(module);
    using Unlocked = nb::call_guard<nb::gil_scoped_release>;
    nb::class_<Model>(module, "Model")
        .def_prop_ro("tensors", [](const Model& model) { return model.model.tensors; })
        .def_prop_ro("layers", &layers)
        .def_prop_ro("output", [](const Model& model) { return model.model.output; })
        .def_prop_ro("properties", &properties)
        .def_prop_ro("granularity",
                     [](const Model& model) { return stend::unet::granularity(model.model); })
        .def_prop_ro("pads_to_fit", [](const Model& model) { return model.model.pads_to_fit; })
        .def(
            "computed_side",
            [](const Model& model, std::int64_t pixels) {
                return stend::unet::computed_side(model.model, side(pixels));
            },
            "pixels"_a)
        .def_prop_ro("parameters",
                     [](const Model& model) { return stend::unet::parameters(model.model); })
        .def("direct_flops", &direct_flops, "height"_a, "width"_a)
        .def("layer_flops", &layer_flops, "height"_a, "width"_a);
    module.def("classic", &classic, Unlocked(), "inputs"_a = 1, "outputs"_a = 2, "channels"_a = 64,
               "depth"_a = 4, "seed"_a = 1);
}

}  // namespace stend::bindings::unet
