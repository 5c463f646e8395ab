// The reference against results worked out by hand, and the classic network's shape.
#include <cmath>
#include <stend/unet.hpp>

#include "check.h"

using namespace stend;

namespace {

// One 3×3 layer from one channel to one, then a 1×1.
unet::Model small() {
    unet::Model model;
    model.tensors = {{"x", 1, 0}, {"a", 1, 0}};
    model.layers = {{.name = "conv",
                     .operation = unet::Operation::convolution,
                     .inputs = {0},
                     .output = 1,
                     .kernel = 3,
                     .activation = unet::Activation::none,
                     .weights = {1, 2, 3, 4, 5, 6, 7, 8, 9},
                     .bias = {0.5F}}};
    model.output = 1;
    return model;
}

void convolution_is_correlation_with_zeros_around() {
    unet::Network network(small(), 2, 2, {.variant = "reference"});
    const float image[4] = {1, 2, 3, 4};
    float output[4];
    network.run(image, 1, output);
    CHECK(output[0] == 5 * 1 + 6 * 2 + 8 * 3 + 9 * 4 + 0.5F);
    CHECK(output[1] == 4 * 1 + 5 * 2 + 7 * 3 + 8 * 4 + 0.5F);
    CHECK(output[2] == 2 * 1 + 3 * 2 + 5 * 3 + 6 * 4 + 0.5F);
    CHECK(output[3] == 1 * 1 + 2 * 2 + 4 * 3 + 5 * 4 + 0.5F);
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
    the_classic_network_has_31_million_parameters();
    return 0;
}
