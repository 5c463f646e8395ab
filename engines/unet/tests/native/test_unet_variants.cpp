// Every variant of every precision that this machine runs, against the reference: within a few
// times the tolerance of the model.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <initializer_list>
#include <string>

#include "check.h"
#include "models.h"

using namespace stend;
using namespace models;
using unet::Activation;

namespace {

// Several images of that size, by every variant; where sides are odd, padded to fit as well.
void agrees(const char* what, const unet::Model& model, std::size_t height, std::size_t width,
            std::size_t count = 1) {
    const std::size_t multiple = unet::granularity(model);
    if (!model.pads_to_fit && (height % multiple != 0 || width % multiple != 0)) {
        unet::Model fitting = model;
        fitting.pads_to_fit = true;
        agrees(what, fitting, height, width, count);
    }
    const auto images = image(count * model.tensors[0].channels * height * width);
    const auto right = run(model, height, width, images, by("reference"));
    for (const unet::Precision precision : precisions)
        for (const std::string_view variant : unet::variants(precision)) {
            const double error =
                apart(run(model, height, width, images, by(variant, precision)), right);
            const double allowed = chance * unet::tolerance(model, precision, variant);
            if (error > allowed)
                std::fprintf(stderr, "%s, %zu x %zu, by %s: %.2e, not %.2e\n", what, height, width,
                             std::string(variant).c_str(), error, allowed);
            CHECK(error <= allowed);
        }
}

using Numbers = std::initializer_list<std::size_t>;

void sizes_that_need_padding_agree(std::size_t channels, Numbers heights, Numbers widths) {
    const auto model = unet::classic({.channels = channels, .depth = 2});
    for (const std::size_t height : heights)
        for (const std::size_t width : widths) agrees("classic", model, height, width);
}

void several_images_agree() {
    agrees("three images", unet::classic({.channels = 16, .depth = 1}), 9, 14, 3);
}

void channels_that_do_not_fill_planes_agree(Numbers numbers) {
    for (const std::size_t channels : numbers)
        agrees("few or odd channels",
               unet::classic({.inputs = 2, .outputs = 3, .channels = channels, .depth = 1}), 12,
               18);
}

void many_channels_in_and_out_agree() {
    for (const std::size_t channels : {4, 5, 16, 19, 40})
        agrees("image's channels",
               unet::classic({.inputs = channels, .outputs = channels, .channels = 20, .depth = 1}),
               10, 22);
}

void every_depth_agrees() {
    for (const unsigned depth : {0U, 1U, 3U, 5U})
        agrees("depth", unet::classic({.channels = 6, .depth = depth}), 33, 40);
}

void maps_of_one_pixel_agree() {
    agrees("one pixel", unet::classic({.outputs = 40, .channels = 16, .depth = 0}), 1, 1);
    agrees("one pixel below", unet::classic({.outputs = 4, .channels = 16, .depth = 3}), 8, 8);
}

// Three tensors of odd channels joined, the input among them; read more than once, all of them.
void joined_tensors_of_odd_channels_agree() {
    Builder build(3);
    const auto a = build.convolve({0}, 19), b = build.convolve({a, 0}, 7),
               c = build.convolve({0, b, a}, 33, 1);
    const auto deep = build.convolve({build.pool(c)}, 21);
    const auto up = build.enlarge({deep}, 18, Activation::relu);
    agrees("joined", build.finished(build.convolve({b, up, 0}, 2, 1, Activation::none)), 14, 26);
}

void transposed_convolutions_of_joined_tensors_agree() {
    Builder build(1);
    const auto a = build.convolve({0}, 5), pooled = build.pool(a);
    const auto beside = build.convolve({pooled}, 22);
    const auto up = build.enlarge({pooled, beside}, 37);
    agrees("joined below", build.finished(build.convolve({up}, 3, 1, Activation::none)), 20, 12);
}

void poolings_of_the_image_and_of_pooled_tensors_agree() {
    Builder build(2);
    const auto deep = build.pool(build.pool(0));
    const auto up = build.enlarge({build.enlarge({deep}, 6)}, 9);
    agrees("pooled twice", build.finished(build.convolve({up, 0}, 5, 3, Activation::none)), 24, 20);
}

// A tensor that is pooled and also read at full size, which the pooling must not spoil, and one
// that is pooled twice.
void a_tensor_pooled_twice_and_read_agrees() {
    Builder build(1);
    const auto a = build.convolve({0}, 18);
    const auto p = build.pool(a), q = build.pool(a);
    const auto up = build.enlarge({p, q}, 16);
    agrees("read and pooled", build.finished(build.convolve({a, up}, 2, 1, Activation::none)), 10,
           14);
}

void outputs_of_every_kind_of_layer_agree(Numbers numbers) {
    for (const std::size_t channels : numbers)
        for (const std::size_t kernel : {1, 3})
            for (const bool first : {false, true}) {
                Builder build(2);
                const std::size_t from = first ? 0 : build.convolve({0}, 17);
                agrees("output", build.finished(build.convolve({from}, channels, kernel)), 11, 19);
            }
    Builder build(1);
    const auto below = build.convolve({build.pool(build.convolve({0}, 8))}, 16);
    agrees("transposed output", build.finished(build.enlarge({below}, 3)), 16, 18);
}

// As its definition says, in double precision; [channels][pixels].
std::vector<float> activated(Activation activation, const std::vector<float>& logits,
                             std::size_t channels) {
    const std::size_t pixels = logits.size() / channels;
    std::vector<float> made;
    for (std::size_t i = 0; i < logits.size(); ++i) {
        double sum = 0;
        for (std::size_t other = i % pixels; other < logits.size(); other += pixels)
            sum += std::exp(1.0 * logits[other] - logits[i]);
        if (activation == Activation::sigmoid) sum = 1 + std::exp(-1.0 * logits[i]);
        made.push_back(static_cast<float>(1 / sum));
    }
    return made;
}

// What is behind a sigmoid tells nothing of the size of large numbers before it, so that those are
// held to the tolerance, and what is made of them to its definition.
void sigmoid_and_softmax_are_made_of_numbers_that_agree() {
    for (const Activation activation : {Activation::sigmoid, Activation::softmax})
        for (const std::size_t channels : {1, 3, 17}) {
            Builder build(1);
            const auto a = build.convolve({build.convolve({0}, 8)}, 16);
            auto model = build.finished(build.convolve({a}, channels, 1, Activation::none));
            for (float& weight : model.layers.back().weights) weight *= 30;  // many saturate
            agrees("before the activation", model, 13, 15);
            const auto images = image(13 * 15);
            for (const unet::Precision precision : precisions)
                for (const std::string_view variant : unet::variants(precision)) {
                    model.layers.back().activation = Activation::none;
                    const auto expected = activated(
                        activation, run(model, 13, 15, images, by(variant, precision)), channels);
                    model.layers.back().activation = activation;
                    const auto made = run(model, 13, 15, images, by(variant, precision));
                    for (std::size_t i = 0; i < made.size(); ++i)
                        CHECK(std::abs(made[i] - expected[i]) <= 1e-6 * expected[i]);
                }
        }
}

// By Winograd sums are up to 100 times as large as what goes in: there they may be no numbers where
// others still are, but never wrong ones.
void sums_that_outgrow_float32_leave_no_numbers() {
    const auto model = unet::classic({.channels = 16, .depth = 2});
    const auto kept = image(20 * 24);
    for (const float scale : {1e36F, 1e37F, 1e38F, 3e38F}) {
        auto images = kept;
        for (float& value : images) value *= scale;
        const auto right = run(model, 20, 24, images, by("reference"));
        for (const unet::Precision precision : precisions)
            for (const std::string_view variant : unet::variants(precision)) {
                const auto made = run(model, 20, 24, images, by(variant, precision));
                const bool numbers =
                    std::ranges::all_of(made, [](float value) { return std::isfinite(value); });
                CHECK(!numbers ||
                      apart(made, right) <= chance * unet::tolerance(model, precision, variant));
            }
    }
}

void any_number_of_threads_gives_the_same_bits() {
    Builder build(3);
    const auto a = build.convolve({0}, 19), b = build.convolve({a}, 33);
    const auto deep = build.convolve({build.pool(b)}, 40);
    const auto up = build.enlarge({deep}, 20);
    const auto last = build.convolve({b, up, 0}, 18);
    const auto model = build.finished(build.convolve({last}, 2, 1, Activation::none));
    const auto images = image(2 * 3 * 37 * 45);
    for (const unet::Precision precision : precisions)
        for (const std::string_view variant : unet::variants(precision)) {
            const auto one = run(model, 37, 45, images, by(variant, precision));
            for (const unsigned threads : {2U, 3U})
                CHECK(run(model, 37, 45, images, by(variant, precision, threads)) == one);
        }
}

void an_image_leaves_nothing_for_the_next() {
    const auto model = unet::classic({.channels = 16, .depth = 2});
    auto images = image(3 * 20 * 20);
    std::copy_n(images.begin(), 400, images.begin() + 800);
    for (const unet::Precision precision : precisions)
        for (const std::string_view variant : unet::variants(precision)) {
            const auto outputs = run(model, 20, 20, images, by(variant, precision));
            CHECK(std::equal(outputs.begin(), outputs.begin() + 800, outputs.begin() + 1600));
        }
}

// Where the second image's numbers become infinite on the way, the third's channels fill no plane.
void an_image_too_bright_spoils_nothing_for_the_next() {
    const std::size_t one = 5 * 20 * 20;
    const auto model = unet::classic({.inputs = 5, .outputs = 1, .channels = 33, .depth = 1});
    for (const float brightness : {3e37F, 3e38F}) {
        auto images = image(3 * one);
        std::copy_n(images.begin(), one, images.begin() + 2 * one);
        for (std::size_t i = 0; i < one; ++i) images[one + i] = images[i] * brightness;
        for (const unet::Precision precision : precisions)
            for (const std::string_view variant : unet::variants(precision)) {
                const auto outputs = run(model, 20, 20, images, by(variant, precision));
                CHECK(std::equal(outputs.begin(), outputs.begin() + 400, outputs.begin() + 800));
            }
    }
}

void nothing_outside_the_arrays_is_touched() {
    const auto model = unet::classic({.channels = 5, .depth = 1});
    for (const unet::Precision precision : precisions)
        for (const std::string_view variant : unet::variants(precision)) {
            unet::Network network(model, 7, 9, by(variant, precision));
            std::vector<float> outputs(2 * 63 + 2, 123.0F);
            network.run(image(63).data(), 1, outputs.data() + 1);
            CHECK(outputs.front() == 123.0F && outputs.back() == 123.0F);
            CHECK(network.variant() == variant);
        }
}

void every_layer_is_timed_once() {
    const auto model = unet::classic({.channels = 16, .depth = 2});
    for (const unet::Precision precision : precisions)
        for (const std::string_view variant : unet::variants(precision)) {
            unet::Network network(model, 16, 16, by(variant, precision));
            std::vector<float> output(2 * 256);
            network.run(image(256).data(), 1, output.data());
            double flops = 0;
            std::string names = " + ";
            for (const unet::Timing& timing : network.timings()) {
                flops += timing.direct_flops;
                names += timing.layers + " + ";
                CHECK(timing.seconds >= 0);
            }
            CHECK(std::abs(flops / unet::direct_flops(model, 16, 16) - 1) < 1e-9);
            for (const unet::Layer& layer : model.layers)
                CHECK(names.find(" + " + layer.name + " + ") != std::string::npos);
            CHECK(network.bytes() >= unet::parameters(model) * 2);
        }
}

}  // namespace

int main(int count, char**) {
    const bool brief = count > 1;
    sizes_that_need_padding_agree(4, {3}, {1, 17});
    channels_that_do_not_fill_planes_agree({3, 17});
    maps_of_one_pixel_agree();
    joined_tensors_of_odd_channels_agree();
    transposed_convolutions_of_joined_tensors_agree();
    poolings_of_the_image_and_of_pooled_tensors_agree();
    a_tensor_pooled_twice_and_read_agrees();
    outputs_of_every_kind_of_layer_agree({4, 6});
    sigmoid_and_softmax_are_made_of_numbers_that_agree();
    nothing_outside_the_arrays_is_touched();
    every_layer_is_timed_once();
    if (!brief) {
        sizes_that_need_padding_agree(16, {1, 3, 4, 17, 30}, {1, 2, 5, 21, 40});
        channels_that_do_not_fill_planes_agree({1, 5, 31, 33, 47});
        outputs_of_every_kind_of_layer_agree({1, 20});
        sums_that_outgrow_float32_leave_no_numbers();
        any_number_of_threads_gives_the_same_bits();
        an_image_leaves_nothing_for_the_next();
        several_images_agree();
        many_channels_in_and_out_agree();
        every_depth_agrees();
        an_image_too_bright_spoils_nothing_for_the_next();
    }
    return 0;
}
