// Models for tests, images for them, and how far outputs are apart.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stend/unet.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace models {

using namespace stend;

// Pseudo-random numbers from -1 to 1 (the generator of Numerical Recipes, 2nd edition, 7.1).
class Random {
public:
    explicit Random(std::uint32_t seed) : state_(seed) {}
    float next() {
        state_ = state_ * 1664525U + 1013904223U;
        return static_cast<float>(state_ >> 8U) * 0x1p-23F - 1;
    }

private:
    std::uint32_t state_;
};

inline std::vector<float> image(std::size_t numbers, std::uint32_t seed = 1) {
    std::vector<float> made(numbers);
    Random random(seed);
    for (float& number : made) number = random.next();
    return made;
}

// Puts layers together, with weights that keep the signal's size and biases of a tenth of it.
class Builder {
public:
    explicit Builder(std::size_t channels) { model_.tensors.push_back({"input", channels, 0}); }

    std::size_t convolve(std::vector<std::size_t> inputs, std::size_t channels,
                         std::size_t kernel = 3,
                         unet::Activation activation = unet::Activation::relu) {
        const unsigned level = model_.tensors[inputs[0]].level;
        return add(unet::Operation::convolution, std::move(inputs), channels, level, kernel,
                   activation);
    }
    std::size_t enlarge(std::vector<std::size_t> inputs, std::size_t channels,
                        unet::Activation activation = unet::Activation::none) {
        const unsigned level = model_.tensors[inputs[0]].level - 1;
        return add(unet::Operation::transposed_convolution, std::move(inputs), channels, level, 2,
                   activation);
    }
    std::size_t pool(std::size_t input) {
        const unet::Tensor tensor = model_.tensors[input];
        return add(unet::Operation::max_pooling, {input}, tensor.channels, tensor.level + 1, 2,
                   unet::Activation::none);
    }

    unet::Model finished(std::size_t output) {
        model_.output = output;
        unet::check(model_);
        return model_;
    }

private:
    std::size_t add(unet::Operation operation, std::vector<std::size_t> inputs,
                    std::size_t channels, unsigned level, std::size_t kernel,
                    unet::Activation activation) {
        std::size_t in = 0;
        for (const std::size_t input : inputs) in += model_.tensors[input].channels;
        unet::Layer layer{.name = "layer " + std::to_string(model_.layers.size()),
                          .operation = operation,
                          .inputs = std::move(inputs),
                          .output = model_.tensors.size(),
                          .kernel = kernel,
                          .activation = activation,
                          .weights = {},
                          .bias = {}};
        if (operation != unet::Operation::max_pooling) {
            const bool convolves = operation == unet::Operation::convolution;
            const auto terms = static_cast<float>(in * (convolves ? kernel * kernel : 1));
            layer.weights.resize(in * channels * kernel * kernel);
            for (float& weight : layer.weights) weight = random_.next() * std::sqrt(6 / terms);
            layer.bias.resize(channels);
            for (float& bias : layer.bias) bias = random_.next() * 0.1F;
        }
        model_.tensors.push_back({layer.name + "'s output", channels, level});
        model_.layers.push_back(std::move(layer));
        return model_.tensors.size() - 1;
    }

    Random random_{7};
    unet::Model model_;
};

// What cblas_sgemm computes, for the variants that need it.
inline void multiply(std::size_t m, std::size_t n, std::size_t k, const float* a, std::size_t lda,
                     const float* b, std::size_t ldb, float* c, std::size_t ldc, bool add) {
    for (std::size_t row = 0; row < m; ++row) {
        float* to = c + row * ldc;
        if (!add) std::fill_n(to, n, 0.0F);
        for (std::size_t i = 0; i < k; ++i)
            for (std::size_t column = 0; column < n; ++column)
                to[column] += a[row * lda + i] * b[i * ldb + column];
    }
}

inline unet::Options by(std::string_view variant,
                        unet::Precision precision = unet::Precision::float32,
                        unsigned threads = 1) {
    return {.precision = precision, .variant = variant, .threads = threads, .sgemm = multiply};
}

inline std::vector<float> run(const unet::Model& model, std::size_t height, std::size_t width,
                              const std::vector<float>& images, const unet::Options& options) {
    unet::Network network(model, height, width, options);
    const std::size_t count = images.size() / (network.input_channels() * height * width);
    std::vector<float> outputs(count * network.output_channels() * height * width);
    network.run(images.data(), count, outputs.data());
    return outputs;
}

// The root mean square of the differences, of that of what is right; or a sixth of the largest
// difference, if that is more: of a million normally distributed errors the largest is five times
// their root mean square.
inline double apart(const std::vector<float>& is, const std::vector<float>& right) {
    double squares = 0, largest = 0, magnitude = 0;
    for (std::size_t i = 0; i < right.size(); ++i) {
        if (!std::isfinite(is[i])) return HUGE_VAL;
        const double difference = std::abs(static_cast<double>(is[i]) - right[i]);
        squares += difference * difference;
        largest = std::max(largest, difference);
        magnitude += static_cast<double>(right[i]) * right[i];
    }
    const auto count = static_cast<double>(right.size());
    return std::max(std::sqrt(squares / count), largest / 6) / std::sqrt(magnitude / count);
}

// Of unet::tolerance(), for networks of few channels or pixels: it follows mean squares over many.
inline constexpr double chance = 3;

inline constexpr unet::Precision precisions[] = {unet::Precision::float32, unet::Precision::bf16x3,
                                                 unet::Precision::bf16};

}  // namespace models
