// The variants on bfloat16 against the reference. Where the processor has no tiles, their
// instructions are emulated, so that the very code of these variants runs; where it has not even
// bfloat16 in its vector registers, there is nothing to run.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <optional>
#include <stend/unet.hpp>
#include <utility>

#include "check.h"
#include "isa/isa.h"
#include "team/team.h"
#include "unet/bfloat16/tiles.h"
#include "unet/tiles.h"
#include "unet/variants.h"

using namespace stend;

namespace {

using Make = std::unique_ptr<unet::Engine> (*)(const unet::Plan&);

const bool has_tiles = isa::why_not({isa::amx_tile, isa::amx_bf16}).empty();

struct Problem {
    unet::Model model;
    std::size_t height, width;
};

std::vector<float> image(const Problem& problem) {
    std::vector<float> image(problem.model.tensors[0].channels * problem.height * problem.width);
    for (std::size_t i = 0; i < image.size(); ++i)
        image[i] = std::sin(0.37F * static_cast<float>(i)) + 0.2F * static_cast<float>(i % 5);
    return image;
}

std::vector<float> computed(Make make, const Problem& problem, unsigned threads) {
    const unet::Sgemm none;
    const auto engine = make({problem.model, problem.height, problem.width, threads, none});
    std::ranges::copy(image(problem), engine->input().begin());
    Team team(Unbound{}, threads);
    for (const unet::Part& part : engine->parts())
        for (const auto& step : part.steps)
            team.run([&](unsigned member) noexcept {
                const std::size_t first = step->items() * member / threads,
                                  last = step->items() * (member + 1) / threads;
                if (first < last) step->work(first, last, member);
            });
    return {engine->output().begin(), engine->output().end()};
}

// The largest difference, of the largest magnitude.
double error(const std::vector<float>& found, const std::vector<float>& exact) {
    double difference = 0, largest = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
        difference = std::max(difference, std::abs(static_cast<double>(found[i]) - exact[i]));
        largest = std::max(largest, std::abs(static_cast<double>(exact[i])));
    }
    return difference / largest;
}

struct Variant {
    const char* name;
    Make make;
    double bound;  // of the error
};

constexpr Variant variants[] = {
    {"avx512-bf16", unet::bfloat16::make_avx512, 3e-2},
    {"amx-bf16", unet::bfloat16::on_tiles, 3e-2},
    {"amx-bf16x3", unet::bfloat16::on_tiles_x3, 1e-4},
};

void all_agree_with_the_reference(const char* which, const Problem& problem) {
    const std::vector<float> exact = computed(unet::reference::make, problem, 1);
    for (const Variant& variant : variants) {
        const std::vector<float> found = computed(variant.make, problem, 1);
        std::printf("%s, %s: %.1e\n", which, variant.name, error(found, exact));
        CHECK(error(found, exact) < variant.bound);
        const std::vector<float> shared = computed(variant.make, problem, 3);
        CHECK(std::memcmp(shared.data(), found.data(), found.size() * sizeof(float)) == 0);
    }
}

void the_classic_network() {
    all_agree_with_the_reference("classic", {unet::classic({.channels = 32, .depth = 1}), 16, 32});
}

// Planes that are not full, tiles that reach beyond rows, inputs and outputs in planes.
void channels_and_sides_of_any_number() {
    all_agree_with_the_reference(
        "uneven",
        {unet::classic({.inputs = 5, .outputs = 7, .channels = 12, .depth = 1, .seed = 3}), 18,
         22});
}

unet::Layer layer(unet::Operation operation, std::vector<std::size_t> inputs, std::size_t output,
                  std::size_t kernel, unet::Activation activation) {
    return {.name = "layer",
            .operation = operation,
            .inputs = std::move(inputs),
            .output = output,
            .kernel = kernel,
            .activation = activation,
            .weights = {},
            .bias = {}};
}

// Pooling on its own, after a transposed convolution; 1×1 kernels at both ends and within; three
// tensors joined; one row of pixels at the deepest level.
unet::Model unusual() {
    using enum unet::Operation;
    using enum unet::Activation;
    unet::Model model;
    model.tensors = {{"x", 3, 0}, {"a", 40, 0}, {"b", 40, 1}, {"c", 8, 0},
                     {"d", 8, 1}, {"e", 20, 1}, {"f", 33, 0}, {"y", 2, 0}};
    model.layers = {layer(convolution, {0}, 1, 1, relu),
                    layer(max_pooling, {1}, 2, 2, none),
                    layer(transposed_convolution, {2}, 3, 2, relu),
                    layer(max_pooling, {3}, 4, 2, none),
                    layer(convolution, {2, 4}, 5, 3, relu),
                    layer(transposed_convolution, {5, 2, 4}, 6, 2, none),
                    layer(convolution, {1, 6, 3}, 7, 1, relu)};
    model.output = 7;
    float next = 0;
    for (unet::Layer& layer : model.layers) {
        if (layer.operation == max_pooling) continue;
        std::size_t inputs = 0;
        for (const std::size_t input : layer.inputs) inputs += model.tensors[input].channels;
        const std::size_t outputs = model.tensors[layer.output].channels;
        layer.weights.resize(inputs * outputs * layer.kernel * layer.kernel);
        layer.bias.resize(outputs);
        for (float& weight : layer.weights) weight = std::sin(next += 1.7F) / 4;
        for (float& bias : layer.bias) bias = std::sin(next += 1.7F);
    }
    return model;
}

// Small images are one block, whose phases threads share; here they take blocks of their own.
void many_blocks_on_several_threads() {
    const Problem problem{unet::classic({.channels = 8, .depth = 1}), 96, 96};
    const std::vector<float> exact = computed(unet::reference::make, problem, 1);
    const std::vector<float> one = computed(unet::bfloat16::make_avx512, problem, 1);
    const std::vector<float> two = computed(unet::bfloat16::make_avx512, problem, 2);
    CHECK(error(one, exact) < 3e-2);
    CHECK(std::memcmp(one.data(), two.data(), one.size() * sizeof(float)) == 0);
}

void tiles_are_configured_in_each_step_and_released_after_it() {
    if (has_tiles) return;  // what the processor does with its own can't be seen
    const Problem problem{unet::classic({.channels = 32, .depth = 1}), 4, 32};
    tiles::Tiles& mine = tiles::of_this_thread();
    const std::uint64_t products = mine.products, configurations = mine.configurations;
    computed(unet::bfloat16::on_tiles, problem, 1);
    CHECK(mine.products > products);
    // Two pairs of convolutions on one level, one on the other; the first is none of tiles.
    CHECK(mine.configurations - configurations == 1 + 2 + 1 + 2);
    CHECK(!mine.configured);
}

}  // namespace

int main() {
    if (const std::string why = isa::why_not({isa::avx512, isa::avx512bf16}); !why.empty()) {
        std::printf("skipped: %s\n", why.c_str());
        return 0;
    }
    std::optional<tiles::Emulator> emulator;
    if (has_tiles)
        CHECK(isa::allow_tiles().empty());
    else
        emulator.emplace();
    the_classic_network();
    channels_and_sides_of_any_number();
    all_agree_with_the_reference("unusual", {unusual(), 2, 18});
    many_blocks_on_several_threads();
    tiles_are_configured_in_each_step_and_released_after_it();
    return 0;
}
