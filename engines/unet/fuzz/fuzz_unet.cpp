// One input chooses a network, its weights, the size of images, their number and of threads; every
// variant of every precision then has to give the reference's output within a few times its
// tolerance, and on several threads the same bits as on one. With clang's libFuzzer, or without it
// as a program: `unet ROUNDS` takes random inputs, the same every time.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <stend/unet.hpp>
#include <string>
#include <vector>

namespace {

using namespace stend;

// The bytes of the input, one choice after another; zeros after its end.
class Choices {
public:
    Choices(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}

    std::size_t below(std::size_t limit) {
        const std::size_t high = one();
        return (high << 8U | one()) % limit;
    }

private:
    std::size_t one() { return at_ == end_ ? 0 : *at_++; }

    const std::uint8_t *at_, *end_;
};

// Layer upon layer; weights as in the classic network.
class Builder {
public:
    Builder(Choices& choose, std::size_t inputs)
        : choose_(choose), random_(static_cast<unsigned>(choose.below(1000) + 1)) {
        model.tensors.push_back({"input", inputs, 0});
    }

    std::size_t convolve(const std::vector<std::size_t>& inputs, std::size_t channels,
                         unet::Activation activation) {
        const std::size_t kernel = choose_.below(4) == 0 ? 1 : 3;
        return add(unet::Operation::convolution, inputs, channels, kernel, activation);
    }

    std::size_t some(std::size_t tensor, std::vector<std::size_t> inputs) {
        for (std::size_t layers = choose_.below(3); layers > 0; --layers) {
            const auto activation =
                choose_.below(4) == 0 ? unet::Activation::none : unet::Activation::relu;
            tensor = convolve(inputs, channels(), activation);
            inputs = {tensor};
        }
        return inputs.size() == 1 ? inputs[0]
                                  : convolve(inputs, channels(), unet::Activation::relu);
    }

    std::size_t pool(std::size_t tensor) {
        return add(unet::Operation::max_pooling, {tensor}, model.tensors[tensor].channels, 2,
                   unet::Activation::none);
    }

    std::size_t enlarge(std::size_t tensor) {
        return add(unet::Operation::transposed_convolution, {tensor}, channels(), 2,
                   choose_.below(3) == 0 ? unet::Activation::relu : unet::Activation::none);
    }

    unet::Model model;

private:
    std::size_t channels() { return 1 + choose_.below(choose_.below(4) == 0 ? 70 : 20); }

    std::size_t add(unet::Operation operation, const std::vector<std::size_t>& inputs,
                    std::size_t channels, std::size_t kernel, unet::Activation activation) {
        const bool pools = operation == unet::Operation::max_pooling;
        const bool enlarges = operation == unet::Operation::transposed_convolution;
        const unsigned level =
            model.tensors[inputs[0]].level + (pools ? 1 : 0) - (enlarges ? 1 : 0);
        std::size_t fan_in = 0;
        for (const std::size_t input : inputs) fan_in += model.tensors[input].channels;
        const std::size_t count = pools ? 0 : fan_in * channels * kernel * kernel;
        if (!enlarges) fan_in *= kernel * kernel;
        const std::string name = "layer" + std::to_string(model.layers.size());
        model.tensors.push_back({name, channels, level});
        model.layers.push_back({name, operation, inputs, model.tensors.size() - 1, kernel,
                                activation,
                                numbers(count, std::sqrt(6.0F / static_cast<float>(fan_in))),
                                numbers(pools ? 0 : channels, 0.0625F)});
        return model.tensors.size() - 1;
    }

    std::vector<float> numbers(std::size_t count, float largest) {
        std::uniform_real_distribution<float> between(-largest, largest);
        std::vector<float> made(count);
        for (float& number : made) number = between(random_);
        return made;
    }

    Choices& choose_;
    std::minstd_rand random_;
};

unet::Model network_of(Choices& choose) {
    Builder build(choose, 1 + choose.below(choose.below(3) == 0 ? 40 : 4));
    std::vector<std::size_t> beside;
    std::size_t tensor = build.some(0, {0});
    for (std::size_t depth = choose.below(4); depth > 0; --depth) {
        beside.push_back(tensor);
        tensor = build.pool(tensor);
        tensor = build.some(tensor, {tensor});
    }
    for (; !beside.empty(); beside.pop_back()) {
        tensor = build.enlarge(tensor);
        std::vector<std::size_t> inputs = {tensor};
        if (choose.below(4) != 0)
            inputs.insert(inputs.begin() + (choose.below(2) ? 1 : 0), beside.back());
        tensor = build.some(tensor, inputs);
    }
    // What is behind a sigmoid or softmax tells little of large numbers before it.
    const auto last = choose.below(2) ? unet::Activation::relu : unet::Activation::none;
    build.model.output = build.convolve({tensor}, 1 + choose.below(5), last);
    build.model.pads_to_fit = choose.below(2) == 0;
    return std::move(build.model);
}

void multiply(std::size_t m, std::size_t n, std::size_t k, const float* a, std::size_t lda,
              const float* b, std::size_t ldb, float* c, std::size_t ldc, bool add) {
    for (std::size_t i = 0; i < m; ++i) {
        if (!add) std::fill_n(c + i * ldc, n, 0.0F);
        for (std::size_t l = 0; l < k; ++l)
            for (std::size_t j = 0; j < n; ++j) c[i * ldc + j] += a[i * lda + l] * b[l * ldb + j];
    }
}

struct Images {
    std::size_t count, height, width;
    std::vector<float> values;

    std::vector<float> through(const unet::Model& model, const unet::Options& options) const {
        unet::Network network(model, height, width, options);
        std::vector<float> output(count * network.output_channels() * height * width);
        network.run(values.data(), count, output.data());
        return output;
    }
};

void fail(const unet::Model& model, const Images& images, const unet::Options& options,
          double error, double bound) {
    std::fprintf(stderr, "%s %s, %u threads, %zu of %zu × %zu: %g of the largest output, not %g\n",
                 std::string(name(options.precision)).c_str(), std::string(options.variant).c_str(),
                 options.threads, images.count, images.height, images.width, error, bound);
    for (const unet::Layer& layer : model.layers)
        std::fprintf(stderr, "  %s: operation %d, kernel %zu, %zu inputs, %zu channels, level %u\n",
                     layer.name.c_str(), static_cast<int>(layer.operation), layer.kernel,
                     layer.inputs.size(), model.tensors[layer.output].channels,
                     model.tensors[layer.output].level);
    std::abort();
}

// The root mean square of the differences, of that of `scale`; or a sixth of the largest
// difference, if that is more: of a million normally distributed errors the largest is five times
// their root mean square.
double error(const std::vector<float>& made, const std::vector<float>& expected,
             const std::vector<float>& scale) {
    double squares = 0, largest = 0, magnitude = 0;
    for (std::size_t i = 0; i < made.size(); ++i) {
        if (!std::isfinite(made[i])) return INFINITY;
        const double off = std::abs(static_cast<double>(made[i]) - expected[i]);
        squares += off * off;
        largest = std::max(largest, off);
        magnitude += static_cast<double>(scale[i]) * scale[i];
    }
    if (largest == 0) return 0;
    const auto count = static_cast<double>(made.size());
    return std::max(std::sqrt(squares), largest / 6 * std::sqrt(count)) / std::sqrt(magnitude);
}

// What the output is where nothing cancels: of the magnitudes of weights and pixels.
std::vector<float> without_cancelling(unet::Model model, Images images) {
    const auto magnitude = [](float& value) { value = std::abs(value); };
    for (unet::Layer& layer : model.layers) {
        std::ranges::for_each(layer.weights, magnitude);
        std::ranges::for_each(layer.bias, magnitude);
    }
    std::ranges::for_each(images.values, magnitude);
    return images.through(model, {.variant = "reference"});
}

// tolerance() follows mean squares over many numbers, and says nothing of a few: sums that cancel
// make an output small by chance, and its errors large beside it. What is beyond both bounds is
// wrong.
constexpr double slack = 6;

void compare(const unet::Model& model, const Images& images, unet::Options options,
             const std::vector<float>& expected, const std::vector<float>& scale) {
    const unsigned threads = options.threads;
    const std::vector<float> made = images.through(model, options);
    options.threads = 1;
    if (threads != 1 && made != images.through(model, options))
        fail(model, images, options, NAN, 0);
    const double allowed = tolerance(model, options.precision, options.variant);
    const double is = error(made, expected, expected), bound = slack * allowed;
    if (!(is <= bound || error(made, expected, scale) <= allowed))
        fail(model, images, options, is, bound);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Choices choose(data, size);
    const unet::Model model = network_of(choose);
    Images images{1 + choose.below(2), 1 + choose.below(40), 1 + choose.below(40), {}};
    std::minstd_rand random(static_cast<unsigned>(choose.below(1000) + 1));
    std::normal_distribution<float> values;
    images.values.resize(images.count * model.tensors[0].channels * images.height * images.width);
    for (float& value : images.values) value = values(random);
    const auto threads = static_cast<unsigned>(1 + choose.below(3));
    const std::vector<float> expected = images.through(model, {.variant = "reference"});
    const std::vector<float> scale = without_cancelling(model, images);
    for (const auto precision :
         {unet::Precision::float32, unet::Precision::bf16x3, unet::Precision::bf16})
        for (const std::string_view variant : unet::variants(precision))
            compare(model, images, {precision, variant, threads, multiply}, expected, scale);
    return 0;
}

#if !defined(STEND_LIBFUZZER)
int main(int count, char** arguments) {
    const long rounds = count > 1 ? std::atol(arguments[1]) : 200;
    std::mt19937 random(20261122);
    for (long round = 0; round < rounds; ++round) {
        std::vector<std::uint8_t> input(random() % 400);
        for (std::uint8_t& byte : input) byte = static_cast<std::uint8_t>(random());
        LLVMFuzzerTestOneInput(input.data(), input.size());
    }
    std::printf("%ld networks, by every variant\n", rounds);
}
#endif
