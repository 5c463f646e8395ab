// The variants of F(4×4, 3×3) against the reference, where tiles, channels and threads don't come
// out even.
#include <algorithm>
#include <cmath>
#include <span>
#include <stend/unet.hpp>

#include "check.h"

using namespace stend;

namespace {

constexpr std::string_view names[] = {"winograd", "winograd-avx2", "winograd-avx512"};

std::vector<std::string_view> variants() {
    std::vector<std::string_view> found;
    for (const std::string_view name : unet::variants(unet::Precision::float32))
        if (std::ranges::find(names, name) != std::end(names)) found.push_back(name);
    CHECK(!found.empty());
    return found;
}

// Between -1 and 1, the same everywhere.
std::vector<float> numbers(std::size_t count, std::uint32_t seed) {
    std::vector<float> made(count);
    for (float& number : made) {
        seed = seed * 1664525U + 1013904223U;
        number = static_cast<float>(static_cast<std::int32_t>(seed) >> 8) / (1 << 23);
    }
    return made;
}

std::vector<float> computed(const unet::Model& model, std::size_t height, std::size_t width,
                            std::string_view variant, unsigned threads) {
    unet::Network network(model, height, width, {.variant = variant, .threads = threads});
    CHECK(network.variant() == variant);
    const auto image = numbers(network.input_channels() * height * width, 7);
    std::vector<float> output(network.output_channels() * height * width);
    network.run(image.data(), 1, output.data());
    return output;
}

// Of the largest magnitude.
double distance(std::span<const float> a, std::span<const float> b) {
    double largest = 0, magnitude = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        largest = std::max(largest, std::abs(static_cast<double>(a[i]) - b[i]));
        magnitude = std::max(magnitude, std::abs(static_cast<double>(b[i])));
    }
    return largest / magnitude;
}

void agrees(const unet::Model& model, std::size_t height, std::size_t width) {
    const auto expected = computed(model, height, width, "reference", 1);
    for (const std::string_view variant : variants()) {
        const auto alone = computed(model, height, width, variant, 1);
        CHECK(distance(alone, expected) < 5e-5);
        CHECK(computed(model, height, width, variant, 2) == alone);
        CHECK(computed(model, height, width, variant, 3) == alone);
    }
}

void networks_of_odd_sizes_and_channels_agree() {
    for (const std::size_t side : {1UL, 13UL, 36UL})
        for (const std::size_t channels : {3UL, 17UL, 40UL})
            agrees(
                unet::classic(
                    {.inputs = 1 + channels % 5, .outputs = 3, .channels = channels, .depth = 2}),
                side, 2 * side + 3);
}

// One 3×3 layer between that many channels, of an image of as many.
unet::Model layer(std::size_t from, std::size_t to, unet::Activation activation) {
    unet::Model model;
    model.tensors = {{"x", from, 0}, {"y", to, 0}};
    model.layers = {{.name = "conv",
                     .operation = unet::Operation::convolution,
                     .inputs = {0},
                     .output = 1,
                     .kernel = 3,
                     .activation = activation,
                     .weights = numbers(from * to * 9, 1),
                     .bias = numbers(to, 2)}};
    model.output = 1;
    return model;
}

void layers_of_several_panels_agree() {
    agrees(layer(310, 290, unet::Activation::none), 9, 6);
    agrees(layer(290, 310, unet::Activation::relu), 2, 3);
}

// Few tiles and so many weights that they are not kept transformed.
void a_layer_of_very_many_weights_agrees() {
    agrees(layer(300, 260, unet::Activation::relu), 13, 17);
}

// More tiles than are taken at a time.
void images_of_many_tiles_agree() {
    agrees(layer(20, 5, unet::Activation::relu), 67, 45);
    agrees(layer(530, 140, unet::Activation::none), 31, 41);
}

// Planes are used again and again; none keeps what an image left in the zeros around it.
void a_second_image_does_not_see_the_first() {
    const unet::Model model = unet::classic({.channels = 16, .depth = 3});
    const auto image = numbers(40 * 24, 3);
    for (const std::string_view variant : variants()) {
        unet::Network network(model, 40, 24, {.variant = variant});
        const std::vector<float> large(40 * 24, 1e6F);
        std::vector<float> first(2 * 40 * 24), second(first.size());
        network.run(image.data(), 1, first.data());
        network.run(large.data(), 1, second.data());
        network.run(image.data(), 1, second.data());
        CHECK(first == second);
    }
}

}  // namespace

int main() {
    networks_of_odd_sizes_and_channels_agree();
    layers_of_several_panels_agree();
    a_layer_of_very_many_weights_agrees();
    images_of_many_tiles_agree();
    a_second_image_does_not_see_the_first();
    return 0;
}
