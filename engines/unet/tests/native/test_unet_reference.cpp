// The reference against results worked out by hand, and the classic network's shape.
#include <cmath>
#include <stend/unet.hpp>
#include <utility>
#include <vector>

#include "check.h"

using namespace stend;

namespace {

using unet::Activation, unet::Operation;

// Pixels of [channel][row][column] by the reference.
std::vector<float> computed(const unet::Model& model, std::size_t height, std::size_t width,
                            const std::vector<float>& image) {
    unet::Network network(model, height, width, {.variant = "reference"});
    std::vector<float> output(network.output_channels() * height * width);
    network.run(image.data(), 1, output.data());
    return output;
}

// From one channel to one, or to several.
unet::Model convolution(std::size_t kernel, std::vector<float> weights, std::vector<float> bias,
                        Activation activation = Activation::none) {
    unet::Model model;
    model.tensors = {{"x", 1, 0}, {"y", bias.size(), 0}};
    model.layers = {{"conv",
                     Operation::convolution,
                     {0},
                     1,
                     kernel,
                     activation,
                     std::move(weights),
                     std::move(bias)}};
    model.output = 1;
    return model;
}

void convolution_is_correlation_with_zeros_around() {
    const auto output =
        computed(convolution(3, {1, 2, 3, 4, 5, 6, 7, 8, 9}, {0.5F}), 2, 2, {1, 2, 3, 4});
    CHECK(output[0] == 5 * 1 + 6 * 2 + 8 * 3 + 9 * 4 + 0.5F);
    CHECK(output[1] == 4 * 1 + 5 * 2 + 7 * 3 + 8 * 4 + 0.5F);
    CHECK(output[2] == 2 * 1 + 3 * 2 + 5 * 3 + 6 * 4 + 0.5F);
    CHECK(output[3] == 1 * 1 + 2 * 2 + 4 * 3 + 5 * 4 + 0.5F);
}

void channels_of_joined_tensors_follow_on_each_other() {
    unet::Model model = convolution(1, {2, 3}, {0, 1});
    model.tensors.push_back({"z", 2, 0});
    model.layers.push_back({"join",
                            Operation::convolution,
                            {1, 0},
                            2,
                            1,
                            Activation::none,
                            {1, 10, 100, -1, 0, 5},
                            {0, 0}});
    model.output = 2;
    // y is (2x, 3x + 1), and the inputs of "join" are (2x, 3x + 1, x).
    CHECK(computed(model, 1, 2, {1, -2}) ==
          std::vector<float>({2 + 40 + 100, -4 - 50 - 200, -2 + 5, 4 - 10}));
}

// Down, then up again: a pooling takes the largest, a transposed convolution's weights are
// [input][output][row][column].
void pooling_and_transposed_convolution_are_each_others_size() {
    unet::Model model;
    model.tensors = {{"x", 1, 0}, {"small", 1, 1}, {"y", 2, 0}};
    model.layers = {{"pool", Operation::max_pooling, {0}, 1, 2, Activation::none, {}, {}},
                    {"up",
                     Operation::transposed_convolution,
                     {1},
                     2,
                     2,
                     Activation::none,
                     {1, 2, 3, 4, -1, 0, 0, -2},
                     {0, 0.5F}}};
    model.output = 2;
    CHECK(computed(model, 2, 4, {1, 3, -5, -6, 2, 0, -9, -4}) ==
          std::vector<float>({3, 6, -4, -8, 9, 12, -12, -16,  //
                              -2.5F, 0.5F, 4.5F, 0.5F, 0.5F, -5.5F, 0.5F, 8.5F}));
}

void activations_are_what_their_names_say() {
    const auto of = [](Activation activation) {
        return computed(convolution(1, {1, -1}, {0, 0}, activation), 1, 2, {2, -1});
    };
    CHECK(of(Activation::relu) == std::vector<float>({2, 0, 0, 1}));
    const auto sigmoid = of(Activation::sigmoid), softmax = of(Activation::softmax);
    CHECK(std::abs(sigmoid[0] - 1 / (1 + std::exp(-2.0))) < 1e-7);
    CHECK(std::abs(sigmoid[3] - 1 / (1 + std::exp(-1.0))) < 1e-7);
    CHECK(std::abs(softmax[0] - 1 / (1 + std::exp(-4.0))) < 1e-7);
    CHECK(std::abs(softmax[1] - 1 / (1 + std::exp(2.0))) < 1e-7);
    CHECK(std::abs(softmax[0] + softmax[2] - 1) < 1e-7);
}

// 3 by 3 is computed as 4 by 4: what the pooling sees outside is the nearest pixel.
void sides_that_are_no_multiples_are_filled_with_the_last_pixels() {
    unet::Model model;
    model.tensors = {{"x", 1, 0}, {"small", 1, 1}, {"y", 1, 0}};
    model.layers = {
        {"pool", Operation::max_pooling, {0}, 1, 2, Activation::none, {}, {}},
        {"up", Operation::transposed_convolution, {1}, 2, 2, Activation::none, {1, 1, 1, 1}, {0}}};
    model.output = 2;
    CHECK(computed(model, 3, 3, {-1, -2, -3, -4, -5, -6, -7, -8, -9}) ==
          std::vector<float>({-1, -1, -3, -1, -1, -3, -7, -7, -9}));
}

// The same, padded to fit: the pooling leaves the last row and column out, and what is enlarged has
// zeros in their place.
void a_network_that_pads_to_fit_halves_odd_sides_rounding_down() {
    unet::Model model;
    model.tensors = {{"x", 1, 0}, {"small", 1, 1}, {"y", 1, 0}};
    model.layers = {
        {"pool", Operation::max_pooling, {0}, 1, 2, Activation::none, {}, {}},
        {"up", Operation::transposed_convolution, {1}, 2, 2, Activation::none, {1, 1, 1, 1}, {10}}};
    model.output = 2;
    model.pads_to_fit = true;
    CHECK(computed(model, 3, 3, {-1, -2, -3, -4, -5, -6, -7, -8, -9}) ==
          std::vector<float>({9, 9, 0, 9, 9, 0, 0, 0, 0}));
    CHECK(computed(model, 1, 2, {3, 4}) == std::vector<float>({14, 14}));  // too low to be halved
}

void the_classic_network_has_31_million_parameters() {
    const unet::Model model = unet::classic({});
    CHECK(unet::parameters(model) == 31030658);
    CHECK(unet::granularity(model) == 16);
    CHECK(std::abs(unet::direct_flops(model, 256, 256) / 96.2e9 - 1) < 1e-2);
}

}  // namespace

int main() {
    convolution_is_correlation_with_zeros_around();
    channels_of_joined_tensors_follow_on_each_other();
    pooling_and_transposed_convolution_are_each_others_size();
    activations_are_what_their_names_say();
    sides_that_are_no_multiples_are_filled_with_the_last_pixels();
    a_network_that_pads_to_fit_halves_odd_sides_rounding_down();
    the_classic_network_has_31_million_parameters();
    return 0;
}
