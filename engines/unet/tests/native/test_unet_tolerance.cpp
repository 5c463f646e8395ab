// The tolerance is above every real error, not far above, and below what a fault makes.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "check.h"
#include "models.h"

using namespace stend;
using namespace models;

namespace {

void the_classic_network_is_held_to_known_limits() {
    const auto model = unet::classic({});
    CHECK(unet::tolerance(model, unet::Precision::float32) < 8e-6);
    CHECK(unet::tolerance(model, unet::Precision::float32, "direct") < 6e-6);
    CHECK(unet::tolerance(model, unet::Precision::bf16x3) < 4e-5);
    CHECK(unet::tolerance(model, unet::Precision::bf16) < 3e-2);
}

void a_variant_that_there_is_not_is_refused() {
    const auto model = unet::classic({.channels = 2, .depth = 1});
    CHECK_THROWS(std::invalid_argument, unet::tolerance(model, unet::Precision::bf16, "direct"));
}

// What goes in is of any size, and so is what comes out.
void scaled_weights_change_nothing() {
    auto model = unet::classic({.channels = 8, .depth = 0});
    const double before = unet::tolerance(model, unet::Precision::bf16);
    for (unet::Layer& layer : model.layers)
        for (float& weight : layer.weights) weight *= 8;
    CHECK(std::abs(unet::tolerance(model, unet::Precision::bf16) / before - 1) < 1e-6);
}

struct Case {
    const char* what;
    unet::Model model;
    std::size_t height, width;
};

std::vector<Case> cases() {
    Builder build(2);
    const auto a = build.convolve({0}, 48), b = build.convolve({a}, 48),
               deep = build.convolve({build.pool(b)}, 64), up = build.enlarge({deep}, 32);
    const auto other = build.finished(build.convolve({up, b}, 3, 3, unet::Activation::none));
    return {{"narrow and deep", unet::classic({.channels = 8, .depth = 4}), 48, 64},
            {"wide and shallow", unet::classic({.channels = 96, .depth = 1, .seed = 3}), 24, 24},
            {"one convolution after another", unet::classic({.channels = 32, .depth = 0}), 40, 40},
            {"others", other, 32, 40}};
}

// The factors between: the margin of a half; sums in a better order than one after another.
void real_errors_lie_below_it_and_not_far() {
    for (const auto& [what, model, height, width] : cases()) {
        const auto images = image(model.tensors[0].channels * height * width);
        const auto right = run(model, height, width, images, by("reference"));
        for (const unet::Precision precision : precisions)
            for (const std::string_view variant : unet::variants(precision)) {
                if (variant == "reference") continue;
                const double error =
                    apart(run(model, height, width, images, by(variant, precision)), right);
                const double factor = unet::tolerance(model, precision, variant) / error;
                std::printf("%s, %s: error %.1e, the tolerance is %.1f times that\n", what,
                            std::string(variant).c_str(), error, factor);
                CHECK(factor > 1 && factor < 5);
            }
    }
}

// How far the reference goes when the model has a fault.
template <typename Fault>
double made_by(const unet::Model& model, Fault fault) {
    const auto images = image(model.tensors[0].channels * 32 * 32);
    const auto right = run(model, 32, 32, images, by("reference"));
    unet::Model wrong = model;
    fault(wrong);
    return apart(run(wrong, 32, 32, images, by("reference")), right);
}

// Two taps of a kernel exchanged in one layer, whichever it is.
void a_wrong_tap_is_found_in_every_precision() {
    const auto model = unet::classic({.channels = 16, .depth = 3});
    for (std::size_t number = 0; number < model.layers.size(); ++number) {
        if (model.layers[number].kernel != 3) continue;
        const double error = made_by(model, [&](unet::Model& wrong) {
            std::vector<float>& weights = wrong.layers[number].weights;
            for (std::size_t kernel = 0; kernel < weights.size(); kernel += 9)
                std::swap(weights[kernel + 3], weights[kernel + 5]);
        });
        for (const unet::Precision precision : precisions)
            CHECK(error > unet::tolerance(model, precision));
    }
}

// One input channel of a layer not added, whichever layer. bf16 can't tell the largest layers'.
void a_channel_left_out_is_found() {
    const auto model = unet::classic({.channels = 16, .depth = 3});
    for (std::size_t number = 1; number < model.layers.size(); ++number) {
        const unet::Layer& layer = model.layers[number];
        if (layer.operation != unet::Operation::convolution) continue;
        const std::size_t taps = layer.kernel * layer.kernel, outputs = layer.bias.size(),
                          inputs = layer.weights.size() / taps / outputs;
        const double error = made_by(model, [&](unet::Model& wrong) {
            for (std::size_t output = 0; output < outputs; ++output)
                std::fill_n(&wrong.layers[number].weights[output * inputs * taps], taps, 0.0F);
        });
        std::printf("%s without a channel: %.1e\n", layer.name.c_str(), error);
        CHECK(error > unet::tolerance(model, unet::Precision::float32));
        CHECK(error > unet::tolerance(model, unet::Precision::bf16x3));
    }
}

// float32 tells one weight of a small layer that is wrong by a hundredth; of a layer of many
// weights, or in bfloat16, that is less than rounding does.
void one_wrong_weight_is_found_where_weights_are_few() {
    const auto model = unet::classic({.channels = 16, .depth = 2});
    const auto error = [&](std::size_t number) {
        return made_by(model, [&](unet::Model& wrong) {
            std::vector<float>& weights = wrong.layers[number].weights;
            *std::max_element(weights.begin(), weights.end()) *= 1.01F;
        });
    };
    for (const std::size_t number : {std::size_t{0}, std::size_t{1}, model.layers.size() - 1}) {
        CHECK(error(number) > unet::tolerance(model, unet::Precision::float32));
        CHECK(error(number) < unet::tolerance(model, unet::Precision::bf16));
    }
}

}  // namespace

int main(int count, char**) {
    const bool brief = count > 1;
    a_variant_that_there_is_not_is_refused();
    scaled_weights_change_nothing();
    if (!brief) {
        the_classic_network_is_held_to_known_limits();
        real_errors_lie_below_it_and_not_far();
        a_wrong_tap_is_found_in_every_precision();
        a_channel_left_out_is_found();
    }
    one_wrong_weight_is_found_where_weights_are_few();
    return 0;
}
