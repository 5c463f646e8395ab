// How far outputs may be from the exact ones. Signal and rounding errors are followed through the
// network as mean squares: README.md, "How far from exact".
#include <algorithm>
#include <cmath>
#include <stend/unet/network.hpp>

namespace stend::unet {
namespace {

constexpr double float32_unit = 0x1p-24, bfloat16_unit = 0x1p-8;  // half of a last place, of 1

// The mean square of the relative error of rounding, for numbers that are as likely in one octave
// as in another: unit²/3 for errors evenly spread within a unit, times the mean of 1/m² for the
// mantissas m of an octave, 3/(8 ln 2).
double rounding(double unit) {
    return unit * unit / (8 * std::log(2.0));
}

// Of adding n products one after another: partial sums of k terms have k/n of the result's mean
// square, and each is rounded; so is each product, where they are not fused, and the sum with the
// bias.
double adding(double terms) {
    return rounding(float32_unit) * (terms / 2 + 2);
}

// F(4×4, 3×3) with the points 0, ±1, ±2, ∞ (Lavin, Gray, CVPR 2016): how many times larger the mean
// square of errors in the products is, relative to that of the result, when inputs and weights are
// uncorrelated. With bᵢ, gᵢ the squared lengths of the rows of Bᵀ and G, and a row of Aᵀ for each
// place in a tile, a place has (Σᵢ a²ᵢ bᵢ gᵢ) of its row times that of its column / 9: on average
// 116, in the tile's last pixel 988. The next 3×3 convolution mixes the places.
constexpr double average_place = 116, worst_place = 988;
constexpr double transforming = 4;  // roundings on the way to a product and back

double winograd(double inputs, bool mixed) {
    return (mixed ? average_place : worst_place) *
           (adding(inputs) + transforming * rounding(float32_unit));
}

// The mean square of a layer's own error, of its result's; `inputs` are channels,
// `mixed` says whether a 3×3 convolution follows.
double made_by(const Layer& layer, double inputs, bool mixed, Precision precision) {
    const bool transposed = layer.operation == Operation::transposed_convolution;
    const double taps = transposed ? 1 : static_cast<double>(layer.kernel * layer.kernel);
    const double terms = inputs * taps, rounded = rounding(bfloat16_unit);
    switch (precision) {
        case Precision::float32:
            return std::max(adding(terms), layer.kernel == 3 ? winograd(inputs, mixed) : 0);
        case Precision::bf16x3:
            // What is left of both factors after their two parts, and the product of the low parts.
            return 3 * rounded * rounded + adding(3 * terms);
        case Precision::bf16:
            break;
    }
    // F(2×4, 3×3) on 0, ±1, ∞ down and 0, ±2/3, ±3/2, ∞ along (bfloat16/transforms.h), in the same
    // way: 7.94 on average, 11.9 in the first and last column. What is stored, and both factors of
    // the products, are rounded.
    const double transformed = layer.kernel == 3 ? 1 + 2 * (mixed ? 7.94 : 11.9) : 2;
    return transformed * rounded + adding(terms);
}

// Mean squares of a tensor's numbers and of their errors.
struct Power {
    double signal = 1, error = 0;
};

Power sum(const Model& model, const Layer& layer, const std::vector<Power>& of) {
    const bool transposed = layer.operation == Operation::transposed_convolution;
    const std::size_t outputs = layer.bias.size(), taps = layer.kernel * layer.kernel;
    std::size_t inputs = 0;
    for (const std::size_t input : layer.inputs) inputs += model.tensors[input].channels;
    Power total{0, 0};
    for (std::size_t output = 0; output < outputs; ++output) {
        std::size_t channel = 0;
        for (const std::size_t input : layer.inputs)
            for (std::size_t c = 0; c < model.tensors[input].channels; ++c, ++channel) {
                const std::size_t pair =
                    transposed ? channel * outputs + output : output * inputs + channel;
                double squares = 0;
                for (std::size_t tap = pair * taps; tap < (pair + 1) * taps; ++tap)
                    squares += static_cast<double>(layer.weights[tap]) * layer.weights[tap];
                total.signal += squares * of[input].signal;
                total.error += squares * of[input].error;
            }
    }
    return total;
}

Power after(const Model& model, const Layer& layer, const std::vector<Power>& of,
            Precision precision) {
    if (layer.operation == Operation::max_pooling) return of[layer.inputs[0]];
    double inputs = 0;
    for (const std::size_t input : layer.inputs)
        inputs += static_cast<double>(model.tensors[input].channels);
    const Power made = sum(model, layer, of);
    if (made.signal == 0) return {};
    // Only their ratio and their relation to tensors beside it count, so that constant factors of
    // all may be left out, but not those that one tensor has and another has not.
    const bool transposed = layer.operation == Operation::transposed_convolution;
    const bool mixed = std::any_of(&layer + 1, model.layers.data() + model.layers.size(),
                                   [](const Layer& later) { return later.kernel == 3; });
    const double sums = static_cast<double>(layer.bias.size()) * (transposed ? 4 : 1),
                 kept = layer.activation == Activation::relu ? 0.5 : 1;
    return {made.signal * kept / sums,
            (made.error + made.signal * made_by(layer, inputs, mixed, precision)) * kept / sums};
}

}  // namespace

double tolerance(const Model& model, Precision precision) {
    check(model);
    std::vector<Power> of(model.tensors.size());
    for (const Layer& layer : model.layers) of[layer.output] = after(model, layer, of, precision);
    const Power output = of[model.output];
    const double relative = std::sqrt(output.error / output.signal);
    const bool bounded = model.layers.back().activation == Activation::sigmoid ||
                         model.layers.back().activation == Activation::softmax;
    return (bounded ? 8 : 1) * 3 * relative;
}

}  // namespace stend::unet
