// The variants of F(4×4, 3×3) against the reference, where tiles, channels and threads don't come
// out even.
#include <algorithm>

#include "check.h"
#include "models.h"

using namespace stend;
using namespace models;

namespace {

constexpr std::string_view names[] = {"winograd", "winograd-avx2", "winograd-avx512"};

std::vector<std::string_view> variants() {
    std::vector<std::string_view> found;
    for (const std::string_view name : unet::variants(unet::Precision::float32))
        if (std::ranges::find(names, name) != std::end(names)) found.push_back(name);
    CHECK(!found.empty());
    return found;
}

std::vector<float> computed(const unet::Model& model, std::size_t height, std::size_t width,
                            std::string_view variant, unsigned threads) {
    return run(model, height, width, image(model.tensors[0].channels * height * width),
               by(variant, unet::Precision::float32, threads));
}

void agrees(const unet::Model& model, std::size_t height, std::size_t width) {
    const auto expected = computed(model, height, width, "reference", 1);
    for (const std::string_view variant : variants()) {
        const auto alone = computed(model, height, width, variant, 1);
        CHECK(apart(alone, expected) < 5e-5);
        CHECK(computed(model, height, width, variant, 2) == alone);
        CHECK(computed(model, height, width, variant, 3) == alone);
    }
}

void a_network_agrees(std::size_t side, std::size_t channels, unsigned depth) {
    agrees(unet::classic(
               {.inputs = 1 + channels % 5, .outputs = 3, .channels = channels, .depth = depth}),
           side, 2 * side + 3);
}

void networks_of_odd_sizes_and_channels_agree() {
    for (const std::size_t side : {1UL, 13UL, 36UL})
        for (const std::size_t channels : {3UL, 17UL, 40UL}) a_network_agrees(side, channels, 2);
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
                     .weights = image(from * to * 9, 1),
                     .bias = image(to, 2)}};
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

}  // namespace

int main(int count, char**) {
    const bool brief = count > 1;
    a_network_agrees(7, 17, 1);
    if (!brief) {
        networks_of_odd_sizes_and_channels_agree();
        a_layer_of_very_many_weights_agrees();
        layers_of_several_panels_agree();
        images_of_many_tiles_agree();
    }
    return 0;
}
