// What a model has to be, and the work that literature counts for it.
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <stend/unet/model.hpp>
#include <string>

namespace stend::unet {
namespace {

constexpr std::size_t most_layers = 4096;
constexpr std::size_t most_channels = 65536;
constexpr unsigned most_levels = 12;

[[noreturn]] void refuse(const std::string& sentence) {
    throw std::invalid_argument(sentence);
}

std::string called(const Layer& layer) {
    return "The layer \"" + layer.name + "\"";
}

std::size_t input_channels(const Model& model, const Layer& layer) {
    std::size_t channels = 0;
    for (const std::size_t input : layer.inputs) channels += model.tensors[input].channels;
    return channels;
}

// Where the output lies when the inputs are at `level`.
unsigned level_after(const Layer& layer, unsigned level) {
    if (layer.operation == Operation::max_pooling) return level + 1;
    if (layer.operation == Operation::convolution) return level;
    if (level == 0) refuse(called(layer) + " makes images larger than the model's input.");
    return level - 1;
}

void check_kernel(const Layer& layer) {
    const bool convolves = layer.operation == Operation::convolution;
    if (convolves ? layer.kernel != 1 && layer.kernel != 3 : layer.kernel != 2)
        refuse(called(layer) + " has a kernel of " + std::to_string(layer.kernel) + "×" +
               std::to_string(layer.kernel) +
               "; convolutions of 3×3 and 1×1 are computed here, "
               "transposed ones and poolings of 2×2.");
}

void check_numbers(const Layer& layer, const std::vector<float>& numbers, std::size_t wanted,
                   const char* what) {
    if (numbers.size() != wanted)
        refuse(called(layer) + " has " + std::to_string(numbers.size()) + " " + what +
               "; it needs " + std::to_string(wanted) + ".");
    if (!std::ranges::all_of(numbers, [](float number) { return std::isfinite(number); }))
        refuse(called(layer) + " has " + what + " that are no finite numbers.");
}

void check_weights(const Model& model, const Layer& layer) {
    const bool pools = layer.operation == Operation::max_pooling;
    const std::size_t in = input_channels(model, layer), out = model.tensors[layer.output].channels;
    if (pools && in != out)
        refuse(called(layer) + " makes " + std::to_string(out) + " channels of " +
               std::to_string(in) + "; pooling keeps their number.");
    check_numbers(layer, layer.weights, pools ? 0 : in * out * layer.kernel * layer.kernel,
                  "weights");
    check_numbers(layer, layer.bias, pools ? 0 : out, "biases");
}

void check_layer(const Model& model, const Layer& layer, std::vector<bool>& made) {
    if (layer.inputs.empty()) refuse(called(layer) + " has no input.");
    if (layer.operation == Operation::max_pooling && layer.inputs.size() != 1)
        refuse(called(layer) + " pools several tensors; it must have one input.");
    for (const std::size_t input : layer.inputs) {
        if (input >= made.size() || !made[input])
            refuse(called(layer) + " needs a tensor that no layer before it makes.");
        if (model.tensors[input].level != model.tensors[layer.inputs[0]].level)
            refuse(called(layer) + " joins tensors of different heights and widths.");
    }
    if (layer.output >= made.size() || made[layer.output])
        refuse(called(layer) + " makes a tensor that there isn't or that another layer makes.");
    if (model.tensors[layer.output].level !=
        level_after(layer, model.tensors[layer.inputs[0]].level))
        refuse(called(layer) + " makes a tensor of another height and width than it says.");
    check_kernel(layer);
    check_weights(model, layer);
    if (layer.operation == Operation::max_pooling && layer.activation != Activation::none)
        refuse(called(layer) + " pools and has an activation; give it to the layer before it.");
    const bool last = layer.output == model.output;
    if ((layer.activation == Activation::sigmoid || layer.activation == Activation::softmax) &&
        !last)
        refuse(called(layer) +
               " has a sigmoid or softmax in the middle of the network; they are "
               "computed only of its output.");
    made[layer.output] = true;
}

void check_tensors(const Model& model) {
    if (model.tensors.empty() || model.tensors[0].level != 0)
        refuse("The model has no input of level 0.");
    for (const Tensor& tensor : model.tensors) {
        if (tensor.channels == 0 || tensor.channels > most_channels)
            refuse("The tensor \"" + tensor.name + "\" has " + std::to_string(tensor.channels) +
                   " channels; 1 to " + std::to_string(most_channels) + " are computed here.");
        if (tensor.level > most_levels)
            refuse("The tensor \"" + tensor.name + "\" is halved " + std::to_string(tensor.level) +
                   " times; at most " + std::to_string(most_levels) + " are computed here.");
    }
}

void check_output(const Model& model) {
    if (model.output == 0 || model.output >= model.tensors.size() ||
        model.layers.back().output != model.output || model.tensors[model.output].level != 0)
        refuse("The model's output is not what its last layer makes, as large as its input.");
}

}  // namespace

void check(const Model& model) {
    check_tensors(model);
    if (model.layers.empty() || model.layers.size() > most_layers)
        refuse("The model has " + std::to_string(model.layers.size()) + " layers; 1 to " +
               std::to_string(most_layers) + " are computed here.");
    std::vector<bool> made(model.tensors.size(), false);
    made[0] = true;
    for (const Layer& layer : model.layers) check_layer(model, layer, made);
    check_output(model);
}

std::size_t granularity(const Model& model) {
    unsigned deepest = 0;
    for (const Tensor& tensor : model.tensors) deepest = std::max(deepest, tensor.level);
    return std::size_t{1} << deepest;
}

std::size_t computed_side(const Model& model, std::size_t pixels) {
    const std::size_t multiple = granularity(model);
    if (model.pads_to_fit && pixels >= multiple) return pixels;
    return (pixels + multiple - 1) / multiple * multiple;
}

std::size_t parameters(const Model& model) {
    std::size_t numbers = 0;
    for (const Layer& layer : model.layers) numbers += layer.weights.size() + layer.bias.size();
    return numbers;
}

double direct_flops(const Model& model, const Layer& layer, std::size_t height, std::size_t width) {
    // A transposed convolution takes each weight once for each pixel of its input.
    const unsigned level = model.tensors[layer.inputs[0]].level;
    const double pixels =
        static_cast<double>(height >> level) * static_cast<double>(width >> level);
    return 2 * static_cast<double>(layer.weights.size()) * pixels;
}

double direct_flops(const Model& model, std::size_t height, std::size_t width) {
    double flops = 0;
    for (const Layer& layer : model.layers) flops += direct_flops(model, layer, height, width);
    return flops;
}

}  // namespace stend::unet
