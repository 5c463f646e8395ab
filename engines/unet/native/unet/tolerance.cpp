// How far outputs may be from the exact ones. Signal and rounding errors are followed through the
// network as mean squares: README.md, "How far from exact".
#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <stend/unet/network.hpp>

#include "unet/blocked/stage.h"
#include "unet/variants.h"

namespace stend::unet {
namespace {

// What is allowed, by what is expected.
constexpr double margin = 1.5;

// The mean square of the relative error of rounding, for numbers that are as likely in one octave
// as in another: unit²/3 for errors evenly spread within a unit, half of a last place of 1, times
// the mean of 1/m² for the mantissas m of an octave, 3/(8 ln 2).
constexpr double rounding(double unit) {
    return unit * unit / (8 * std::numbers::ln2);
}
constexpr double of_float32 = rounding(0x1p-24), of_bfloat16 = rounding(0x1p-8);

// Of adding n products one after another: partial sums of k terms have k/n of the result's mean
// square, and each is rounded; so is each product, where they are not fused, and the sum with the
// bias.
double adding(double terms) {
    return of_float32 * (terms / 2 + 2);
}

// Of Winograd's tiles, how many times larger the mean square of errors in the products is, relative
// to that of the result. With gᵢ the squared lengths of the rows of G, and of the rows of Bᵀ either
// the squared lengths, for pixels that have nothing in common, or the squared sums, for pixels that
// are the same, as bᵢ, a row of Aᵀ for each place in a tile, a place has (Σᵢ a²ᵢ bᵢ gᵢ) of its row
// times that of its column / 9. The next 3×3 convolution mixes the places; where none follows, the
// worst one counts.
struct Places {
    double average, worst;
};
struct Tiles {
    Places apart, same;

    double growth(double shared, bool mixed) const {
        const auto of = [&](Places places) { return mixed ? places.average : places.worst; };
        return (1 - shared) * of(apart) + shared * of(same);
    }
};
// F(4×4, 3×3) on 0, ±2/3, ±3/2, ∞ (winograd/transforms.h).
constexpr Tiles tiles4x4{{22.7, 50.9}, {0.83, 1.45}};
// F(2×4, 3×3) on 0, ±1, ∞ down and 0, ±2/3, ±3/2, ∞ along (bfloat16/transforms.h).
constexpr Tiles tiles2x4{{7.94, 11.9}, {0.91, 1.20}};
constexpr double transforming = 4;  // roundings on the way to a product and back

// A layer, as far as errors depend on it.
struct Kind {
    double inputs, taps;  // channels, and terms of each in a sum
    bool ends;            // reads the image or makes the result: computed in float32
    bool mixed;           // a 3×3 convolution follows
    double shared;        // of the mean square of its input: README.md
};

// Of keeping a tensor.
double keeping(Rounding rounding) {
    switch (rounding) {
        case Rounding::sums:
        case Rounding::tiles:
            break;
        case Rounding::halves:
            return of_bfloat16 * of_bfloat16;
        case Rounding::factors:
        case Rounding::tile_factors:
            return of_bfloat16;
    }
    return 0;
}

// Of multiplying and adding: the mean square of a layer's own error, of its result's.
double multiplying(const Kind& layer, Rounding rounding) {
    const double sums = adding(layer.inputs * layer.taps);
    if (layer.ends) return sums;
    const bool in_tiles = layer.taps == 9;
    switch (rounding) {
        case Rounding::sums:
            return sums;
        case Rounding::tiles:
            return in_tiles ? std::max(sums, tiles4x4.growth(layer.shared, layer.mixed) *
                                                 (adding(layer.inputs) + transforming * of_float32))
                            : sums;
        case Rounding::halves:
            // What is left of weights after their two parts, and the product of the low parts.
            return 2 * of_bfloat16 * of_bfloat16 + adding(3 * layer.inputs * layer.taps);
        case Rounding::tile_factors:
            if (in_tiles)
                return 2 * tiles2x4.growth(layer.shared, layer.mixed) * of_bfloat16 + sums;
            break;
        case Rounding::factors:
            break;
    }
    return of_bfloat16 + sums;  // weights; inputs are kept so
}

double density(double x) {
    return std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
}
double below(double x) {
    return std::erfc(-x / std::numbers::sqrt2) / 2;
}

// A tensor before its activation: normally distributed, as sums of many are, around `mean`; of the
// variance, `shared` is between channels, the same for all pixels of one, `own` that of pixels.
struct Signal {
    double mean = 0, shared = 0, own = 1, error = 0;
    bool rectified = false;

    double variance() const { return shared + own; }
};

// As convolutions read it: mean squares of numbers, of their channels' means, of errors.
struct Read {
    double square, shared, error;
};

// Of a normally distributed number's positive part.
double mean_above(double mean, double deviation) {
    if (deviation == 0) return std::max(mean, 0.0);
    return mean * below(mean / deviation) + deviation * density(mean / deviation);
}

// Over the channels, the mean of squared means.
double shared_above(const Signal& signal) {
    constexpr double step = 1.0 / 8, farthest = 5;
    double sum = 0;
    for (double x = -farthest; x <= farthest; x += step) {
        const double mean =
            mean_above(signal.mean + std::sqrt(signal.shared) * x, std::sqrt(signal.own));
        sum += step * density(x) * mean * mean;
    }
    return sum;
}

Read read(const Signal& signal) {
    const double variance = signal.variance(), deviation = std::sqrt(variance);
    if (!signal.rectified || variance == 0)
        return {signal.mean * signal.mean + variance, signal.mean * signal.mean + signal.shared,
                signal.error};
    const double at = signal.mean / deviation;
    return {
        (signal.mean * signal.mean + variance) * below(at) + signal.mean * deviation * density(at),
        shared_above(signal), signal.error * below(at)};
}

// Of four independent normally distributed numbers the largest is 1.029 deviations above the mean,
// with a variance of 0.492 (Teichroew, Ann. Math. Statist. 27, 1956).
Signal pooled(Signal signal) {
    signal.mean += 1.029 * std::sqrt(signal.own);
    signal.own *= 0.492;
    return signal;
}

// The mean of its squared weights over output channels, of each input channel summed up.
double squares(const Layer& layer, std::size_t first, std::size_t channels) {
    const bool transposed = layer.operation == Operation::transposed_convolution;
    const std::size_t outputs = layer.bias.size(), taps = layer.kernel * layer.kernel,
                      inputs = layer.weights.size() / outputs / taps;
    double sum = 0;
    for (std::size_t output = 0; output < outputs; ++output)
        for (std::size_t channel = first; channel < first + channels; ++channel) {
            const std::size_t pair =
                transposed ? channel * outputs + output : output * inputs + channel;
            for (std::size_t tap = pair * taps; tap < (pair + 1) * taps; ++tap)
                sum += static_cast<double>(layer.weights[tap]) * layer.weights[tap];
        }
    return sum / static_cast<double>(outputs) / (transposed ? 4 : 1);
}

Signal after(const Model& model, const Layer& layer, const std::vector<Signal>& of,
             Rounding rounding) {
    if (layer.operation == Operation::max_pooling) return pooled(of[layer.inputs[0]]);
    const bool transposed = layer.operation == Operation::transposed_convolution;
    Read sum{0, 0, 0};
    std::size_t inputs = 0;
    for (const std::size_t input : layer.inputs) {
        const std::size_t channels = model.tensors[input].channels;
        const Read from = read(of[input]);
        const double kept =
            input == 0 && !blocked::reads_image(model, layer) ? keeping(rounding) * from.square : 0;
        const double weight = squares(layer, inputs, channels);
        sum.square += weight * from.square;
        sum.shared += weight * from.shared;
        sum.error += weight * (from.error + kept);
        inputs += channels;
    }
    if (sum.square == 0) return {0, 0, 0, 0, false};
    const Kind kind{
        static_cast<double>(inputs),
        transposed ? 1 : static_cast<double>(layer.kernel * layer.kernel),
        blocked::reads_image(model, layer) || blocked::writes_result(model, layer),
        std::any_of(&layer + 1, model.layers.data() + model.layers.size(),
                    [](const Layer& later) { return later.kernel == 3; }),
        sum.shared / sum.square,
    };
    // Pixels beside each other come from other weights behind a transposed convolution.
    const double shared = transposed ? 0 : sum.shared;
    const double made = multiplying(kind, rounding) +
                        (blocked::writes_result(model, layer) ? 0 : keeping(rounding));
    return {0, shared, sum.square - shared, sum.error + sum.square * made,
            layer.activation == Activation::relu};
}

// The one with the largest errors of a precision, where no variant is named.
Rounding rounding(Precision precision, std::string_view variant) {
    for (const Maker& maker : makers(precision))
        if (maker.name == variant) return maker.rounding;
    if (!variant.empty())
        throw std::invalid_argument("There is no variant \"" + std::string(variant) +
                                    "\" of the precision " + std::string(name(precision)) + ".");
    switch (precision) {
        case Precision::float32:
            return Rounding::tiles;
        case Precision::bf16x3:
            return Rounding::halves;
        case Precision::bf16:
            break;
    }
    return Rounding::tile_factors;
}

}  // namespace

double tolerance(const Model& model, Precision precision, std::string_view variant) {
    check(model);
    const Rounding rounded = rounding(precision, variant);
    std::vector<Signal> of(model.tensors.size());
    for (const Layer& layer : model.layers) of[layer.output] = after(model, layer, of, rounded);
    const Read output = read(of[model.output]);
    return output.square == 0 ? 0 : margin * std::sqrt(output.error / output.square);
}

}  // namespace stend::unet
