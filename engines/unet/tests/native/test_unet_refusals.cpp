// What can't be computed is refused in a sentence that says what was seen.
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>

#include "check.h"
#include "models.h"

using namespace stend;
using namespace models;

namespace {

// What std::invalid_argument says of it; empty when it is not refused.
std::string said(const std::function<void()>& attempt) {
    try {
        attempt();
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

bool has(const std::string& sentence, const std::string& words) {
    return sentence.find(words) != std::string::npos && sentence.ends_with('.');
}

unet::Model good() {
    return unet::classic({.channels = 4, .depth = 1});
}

// What is said of the good model after a change.
std::string of(const std::function<void(unet::Model&)>& change) {
    unet::Model model = good();
    change(model);
    return said([&] { unet::check(model); });
}

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

void models_that_are_none_are_refused() {
    CHECK(said([] { unet::check(good()); }).empty());
    CHECK(has(of([](auto& m) { m.tensors.clear(); }), "has no input of level 0"));
    CHECK(has(of([](auto& m) { m.tensors[0].level = 1; }), "has no input of level 0"));
    CHECK(has(of([](auto& m) { m.tensors[1].channels = 0; }), "has 0 channels"));
    CHECK(has(of([](auto& m) { m.tensors[1].channels = 65537; }), "has 65537 channels"));
    CHECK(has(of([](auto& m) { m.tensors[1].level = 13; }), "is halved 13 times"));
    CHECK(has(of([](auto& m) { m.layers.clear(); }), "has 0 layers"));
    CHECK(has(of([](auto& m) { m.layers.resize(4097, m.layers[0]); }), "has 4097 layers"));
    CHECK(has(of([](auto& m) { m.output = 0; }), "The model's output is not"));
    CHECK(has(of([](auto& m) { m.output = 1; }), "The model's output is not"));
    CHECK(has(of([](auto& m) { m.output = 99; }), "The model's output is not"));
}

void layers_that_do_not_fit_are_refused() {
    const auto layer = [](std::size_t number, const auto& change) {
        return of([&](unet::Model& m) { change(m.layers[number]); });
    };
    CHECK(has(layer(0, [](auto& l) { l.inputs.clear(); }), "\"down0.conv1\" has no input"));
    CHECK(has(layer(0, [](auto& l) { l.inputs = {99}; }), "a tensor that no layer before it"));
    CHECK(has(layer(0, [](auto& l) { l.inputs = {2}; }), "a tensor that no layer before it"));
    CHECK(has(layer(0, [](auto& l) { l.inputs = {1}; }), "a tensor that no layer before it"));
    CHECK(has(layer(2, [](auto& l) { l.inputs = {2, 2}; }), "\"pool1\" pools several tensors"));
    CHECK(has(layer(2, [](auto& l) { l.activation = unet::Activation::relu; }),
              "\"pool1\" pools and has an activation"));
    CHECK(has(layer(3, [](auto& l) { l.inputs = {3, 2}; }), "different heights and widths"));
    CHECK(has(layer(1, [](auto& l) { l.output = 1; }), "that another layer makes"));
    CHECK(has(layer(1, [](auto& l) { l.output = 0; }), "that another layer makes"));
    CHECK(has(layer(1, [](auto& l) { l.output = 99; }), "a tensor that there isn't"));
    CHECK(has(layer(1, [](auto& l) { l.output = 3; }), "another height and width"));
    CHECK(has(layer(0, [](auto& l) { l.kernel = 5; }), "a kernel of 5×5"));
    CHECK(has(layer(2, [](auto& l) { l.kernel = 3; }), "a kernel of 3×3"));
    CHECK(has(layer(5, [](auto& l) { l.kernel = 3; }), "a kernel of 3×3"));
    CHECK(has(layer(0, [](auto& l) { l.weights.pop_back(); }), "has 35 weights; it needs 36"));
    CHECK(has(layer(0, [](auto& l) { l.bias.clear(); }), "has 0 biases; it needs 4"));
    CHECK(has(layer(2, [](auto& l) { l.bias = {1}; }), "has 1 biases; it needs 0"));
    CHECK(has(layer(0, [](auto& l) { l.weights[7] = not_a_number; }), "no finite numbers"));
    CHECK(has(layer(0, [](auto& l) { l.bias[3] = HUGE_VALF; }), "no finite numbers"));
    CHECK(has(layer(0, [](auto& l) { l.activation = unet::Activation::sigmoid; }),
              "a sigmoid or softmax in the middle"));
    CHECK(has(of([](auto& m) { m.tensors[3].channels = 5; }), "makes 5 channels of 4"));
}

void images_larger_than_the_input_are_refused() {
    unet::Model model = good();
    unet::Layer& layer = model.layers[0];
    layer.operation = unet::Operation::transposed_convolution;
    layer.kernel = 2;
    CHECK(has(said([&] { unet::check(model); }), "larger than the model's input"));
}

void a_layer_that_uses_the_output_is_refused() {
    CHECK(has(of([](auto& m) { m.layers[1].inputs = {m.output}; }), "that no layer before it"));
    CHECK(has(of([](auto& m) { m.layers.back().inputs = {m.output}; }), "that no layer before it"));
}

void networks_that_can_not_be_made_are_refused() {
    const auto made = [](std::size_t height, std::size_t width, unet::Options options) {
        return said([&] { unet::Network(good(), height, width, options); });
    };
    CHECK(made(8, 8, {}).empty());
    CHECK(has(made(0, 8, {}), "height is 0"));
    CHECK(has(made(8, 0, {}), "width is 0"));
    CHECK(has(made(32769, 8, {}), "height is 32769"));
    CHECK(has(made(8, 8, {.threads = 0}), "0 threads"));
    CHECK(has(made(8, 8, {.threads = 1U << 20U}), "1048576 threads"));
    CHECK(has(made(8, 8, {.variant = "fast"}), "no variant \"fast\" of the precision float32"));
    CHECK(has(made(8, 8, {.variant = "fast"}), "there are reference"));
    CHECK(has(made(8, 8, {.variant = "blas"}), "blas can't run: it needs a BLAS"));
    CHECK(has(made(8, 8, {.precision = unet::Precision::bf16, .variant = "direct"}),
              "no variant \"direct\" of the precision bf16"));
    for (const unet::Precision precision : precisions) {
        const std::string sentence = made(8, 8, {.precision = precision});
        CHECK(sentence.empty() != unet::variants(precision).empty());
        CHECK(sentence.empty() || has(sentence, "can run on this machine; there are "));
        CHECK(!has(sentence, "there are ."));
    }
    unet::Model wrong = good();
    wrong.layers.clear();
    CHECK(has(said([&] { unet::Network(wrong, 8, 8); }), "has 0 layers"));
}

void classic_networks_that_can_not_be_made_are_refused() {
    const auto made = [](unet::Classic classic) { return said([&] { unet::classic(classic); }); };
    CHECK(has(made({.inputs = 0}), "is not computed here"));
    CHECK(has(made({.outputs = 0}), "is not computed here"));
    CHECK(has(made({.channels = 0}), "is not computed here"));
    CHECK(has(made({.channels = 64, .depth = 13}), "13 levels deep"));
    CHECK(has(made({.channels = 4096, .depth = 5}), "4096 channels, 5 levels deep"));
}

// By every variant, whichever value it is; what was said before leaves nothing behind.
void images_that_are_no_numbers_are_refused() {
    for (const unet::Precision precision : precisions)
        for (const std::string_view variant : unet::variants(precision)) {
            unet::Network network(good(), 5, 7, by(variant, precision));
            std::vector<float> good_image = image(35), output(70), again(70);
            network.run(good_image.data(), 1, output.data());
            for (const std::size_t at : {0, 17, 34})
                for (const float value : {not_a_number, HUGE_VALF, -HUGE_VALF}) {
                    auto bad = good_image;
                    bad[at] = value;
                    CHECK(has(said([&] { network.run(bad.data(), 1, again.data()); }),
                              "no finite numbers"));
                }
            network.run(good_image.data(), 1, again.data());
            CHECK(again == output);
        }
}

void names_of_precisions_are_those_there_are() {
    for (const unet::Precision precision : precisions)
        CHECK(unet::precision(unet::name(precision)) == precision);
    CHECK(has(said([] { unet::precision("float16"); }), "no precision \"float16\""));
}

}  // namespace

int main() {
    models_that_are_none_are_refused();
    layers_that_do_not_fit_are_refused();
    images_larger_than_the_input_are_refused();
    a_layer_that_uses_the_output_is_refused();
    networks_that_can_not_be_made_are_refused();
    classic_networks_that_can_not_be_made_are_refused();
    images_that_are_no_numbers_are_refused();
    names_of_precisions_are_those_there_are();
    return 0;
}
