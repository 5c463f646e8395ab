// The classic network, layer by layer, with its pseudo-random weights.
#include <cmath>
#include <stdexcept>
#include <stend/unet/model.hpp>
#include <string>
#include <utility>

namespace stend::unet {
namespace {

// Numbers from -1 to 1, the same on every machine: whole numbers below 2^24, scaled exactly.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    float next() {
        std::uint64_t z = state_ += 0x9E3779B97F4A7C15U;
        z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
        z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
        z ^= z >> 31U;
        return static_cast<float>(z >> 40U) * 0x1p-23F - 1;
    }

private:
    std::uint64_t state_;
};

class Builder {
public:
    explicit Builder(const Classic& classic) : random_(classic.seed) {
        model_.tensors.push_back({"input", classic.inputs, 0});
    }

    std::size_t convolve(std::string name, std::vector<std::size_t> inputs, std::size_t channels,
                         std::size_t kernel = 3, Activation activation = Activation::relu) {
        const unsigned level = model_.tensors[inputs[0]].level;
        return add({.name = std::move(name),
                    .operation = Operation::convolution,
                    .inputs = std::move(inputs),
                    .output = 0,
                    .kernel = kernel,
                    .activation = activation,
                    .weights = {},
                    .bias = {}},
                   channels, level);
    }

    std::size_t pool(std::string name, std::size_t input) {
        const auto [unused, channels, level] = model_.tensors[input];
        return add(
            {std::move(name), Operation::max_pooling, {input}, 0, 2, Activation::none, {}, {}},
            channels, level + 1);
    }

    std::size_t enlarge(std::string name, std::size_t input) {
        const auto [unused, channels, level] = model_.tensors[input];
        return add({std::move(name),
                    Operation::transposed_convolution,
                    {input},
                    0,
                    2,
                    Activation::none,
                    {},
                    {}},
                   channels / 2, level - 1);
    }

    Model finished(std::size_t output) {
        model_.output = output;
        check(model_);
        return std::move(model_);
    }

private:
    std::size_t add(Layer layer, std::size_t channels, unsigned level) {
        layer.output = model_.tensors.size();
        if (layer.operation != Operation::max_pooling) fill(layer, channels);
        model_.tensors.push_back({layer.name, channels, level});
        model_.layers.push_back(std::move(layer));
        return model_.tensors.size() - 1;
    }

    void fill(Layer& layer, std::size_t channels) {
        std::size_t in = 0;
        for (const std::size_t input : layer.inputs) in += model_.tensors[input].channels;
        const std::size_t taps = layer.kernel * layer.kernel;
        const bool transposed = layer.operation == Operation::transposed_convolution;
        const auto fan_in = static_cast<double>(transposed ? in : in * taps);
        const auto scale = static_cast<float>(std::sqrt(6 / fan_in));
        layer.weights.resize(in * channels * taps);
        for (float& weight : layer.weights) weight = random_.next() * scale;
        layer.bias.resize(channels);
        for (float& bias : layer.bias) bias = random_.next() * 0x1p-4F;
    }

    Random random_;
    Model model_;
};

void check_sizes(const Classic& classic) {
    const std::size_t most = std::size_t{1} << 20U;  // what check() refuses is below; no overflow
    if (classic.channels == 0 || classic.channels > most || classic.inputs == 0 ||
        classic.inputs > most || classic.outputs == 0 || classic.outputs > most ||
        classic.depth > 12 || (classic.channels << classic.depth) > 65536)
        throw std::invalid_argument("A classic network of " + std::to_string(classic.channels) +
                                    " channels, " + std::to_string(classic.depth) +
                                    " levels deep, is not computed here; at most 65536 channels "
                                    "and 12 levels are.");
}

}  // namespace

Model classic(const Classic& description) {
    check_sizes(description);
    Builder build(description);
    std::vector<std::size_t> beside;
    std::size_t channels = description.channels, tensor = 0;
    for (unsigned level = 0; level <= description.depth; ++level) {
        const std::string name = "down" + std::to_string(level);
        if (level > 0) {
            beside.push_back(tensor);
            tensor = build.pool("pool" + std::to_string(level), tensor);
            channels *= 2;
        }
        tensor = build.convolve(name + ".conv1", {tensor}, channels);
        tensor = build.convolve(name + ".conv2", {tensor}, channels);
    }
    for (unsigned level = description.depth; level-- > 0;) {
        const std::string name = "up" + std::to_string(level);
        channels /= 2;
        tensor = build.enlarge(name + ".transposed", tensor);
        tensor = build.convolve(name + ".conv1", {beside[level], tensor}, channels);
        tensor = build.convolve(name + ".conv2", {tensor}, channels);
    }
    return build.finished(
        build.convolve("output", {tensor}, description.outputs, 1, Activation::none));
}

}  // namespace stend::unet
