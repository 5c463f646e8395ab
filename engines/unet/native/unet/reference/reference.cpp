// Each layer as its definition says, in double precision, tensors as [channel][row][column]. What
// the other variants are compared with.
#include <algorithm>
#include <utility>

#include "buffers/buffer.h"
#include "unet/finish.h"
#include "unet/variants.h"

namespace stend::unet::reference {
namespace {

struct Image {
    Image(std::size_t channels_of, unsigned level, const Plan& plan)
        : channels(channels_of),
          height(plan.height >> level),
          width(plan.width >> level),
          values(channels * height * width) {}

    double* row(std::size_t channel, std::size_t y) {
        return values.data() + (channel * height + y) * width;
    }

    std::size_t channels, height, width;
    Buffer<double> values;
};

// An item is a channel of the output.
class Convolution final : public Step {
public:
    Convolution(const Layer& layer, std::vector<Image*> inputs, Image& output)
        : layer_(layer), inputs_(std::move(inputs)), output_(output) {
        for (const Image* input : inputs_) channels_ += input->channels;
    }

    std::size_t items() const override { return output_.channels; }

    void work(std::size_t first, std::size_t last, unsigned) noexcept override {
        for (std::size_t out = first; out < last; ++out) {
            double* begin = output_.row(out, 0);
            std::fill_n(begin, output_.height * output_.width, layer_.bias[out]);
            std::size_t in = 0;
            for (Image* input : inputs_)
                for (std::size_t c = 0; c < input->channels; ++c, ++in) add(*input, c, in, out);
            if (layer_.activation == Activation::relu)
                for (double& value : std::span(begin, output_.height * output_.width))
                    value = std::max(value, 0.0);
        }
    }

private:
    void add(Image& input, std::size_t channel, std::size_t in, std::size_t out) {
        const auto kernel = static_cast<std::ptrdiff_t>(layer_.kernel), half = kernel / 2;
        const auto height = static_cast<std::ptrdiff_t>(input.height),
                   width = static_cast<std::ptrdiff_t>(input.width);
        const float* weights =
            &layer_.weights[(out * channels_ + in) * layer_.kernel * layer_.kernel];
        for (std::ptrdiff_t y = 0; y < height; ++y) {
            double* to = output_.row(out, static_cast<std::size_t>(y));
            for (std::ptrdiff_t ky = 0; ky < kernel; ++ky) {
                const std::ptrdiff_t from_y = y + ky - half;
                if (from_y < 0 || from_y >= height) continue;
                const double* from = input.row(channel, static_cast<std::size_t>(from_y));
                for (std::ptrdiff_t kx = 0; kx < kernel; ++kx) {
                    const std::ptrdiff_t shift = kx - half;
                    const double weight = weights[ky * kernel + kx];
                    const std::ptrdiff_t end = std::min(width, width - shift);
                    for (std::ptrdiff_t x = std::max<std::ptrdiff_t>(0, -shift); x < end; ++x)
                        to[x] += weight * from[x + shift];
                }
            }
        }
    }

    const Layer& layer_;
    std::vector<Image*> inputs_;
    Image& output_;
    std::size_t channels_ = 0;
};

class TransposedConvolution final : public Step {
public:
    TransposedConvolution(const Layer& layer, std::vector<Image*> inputs, Image& output)
        : layer_(layer), inputs_(std::move(inputs)), output_(output) {}

    std::size_t items() const override { return output_.channels; }

    void work(std::size_t first, std::size_t last, unsigned) noexcept override {
        for (std::size_t out = first; out < last; ++out)
            for (std::size_t y = 0; y < output_.height; ++y)
                for (std::size_t x = 0; x < output_.width; ++x)
                    output_.row(out, y)[x] = value(out, y, x);
    }

private:
    double value(std::size_t out, std::size_t y, std::size_t x) {
        if (y / 2 == inputs_[0]->height || x / 2 == inputs_[0]->width) return 0;  // padded to fit
        double sum = layer_.bias[out];
        std::size_t in = 0;
        for (Image* input : inputs_)
            for (std::size_t c = 0; c < input->channels; ++c, ++in)
                sum += input->row(c, y / 2)[x / 2] *
                       layer_.weights[((in * output_.channels + out) * 2 + y % 2) * 2 + x % 2];
        return layer_.activation == Activation::relu ? std::max(sum, 0.0) : sum;
    }

    const Layer& layer_;
    std::vector<Image*> inputs_;
    Image& output_;
};

class Pooling final : public Step {
public:
    Pooling(Image& input, Image& output) : input_(input), output_(output) {}

    std::size_t items() const override { return output_.channels; }

    void work(std::size_t first, std::size_t last, unsigned) noexcept override {
        for (std::size_t c = first; c < last; ++c)
            for (std::size_t y = 0; y < output_.height; ++y) {
                const double* upper = input_.row(c, 2 * y);
                const double* lower = input_.row(c, 2 * y + 1);
                for (std::size_t x = 0; x < output_.width; ++x)
                    output_.row(c, y)[x] =
                        std::max({upper[2 * x], upper[2 * x + 1], lower[2 * x], lower[2 * x + 1]});
            }
    }

private:
    Image& input_;
    Image& output_;
};

// From the caller's numbers to doubles, or back again; an item is one of them.
template <typename From, typename To>
class Conversion final : public Step {
public:
    Conversion(std::span<const From> from, std::span<To> to) : from_(from), to_(to) {}

    std::size_t items() const override { return from_.size(); }

    void work(std::size_t first, std::size_t last, unsigned) noexcept override {
        for (std::size_t i = first; i < last; ++i) to_[i] = static_cast<To>(from_[i]);
    }

private:
    std::span<const From> from_;
    std::span<To> to_;
};

class Reference final : public Engine {
public:
    explicit Reference(const Plan& plan) : layers_(plan.model.layers) {
        for (const Tensor& tensor : plan.model.tensors)
            images_.emplace_back(tensor.channels, tensor.level, plan);
        const Image &input = images_[0], &output = images_[plan.model.output];
        input_ = Buffer<float>(input.values.span().size());
        output_ = Buffer<float>(output.values.span().size());
        part("input", 0)
            .push_back(
                std::make_unique<Conversion<float, double>>(input_.span(), input.values.span()));
        for (const Layer& layer : layers_)
            part(layer.name, direct_flops(plan.model, layer, plan.height, plan.width))
                .push_back(step(layer));
        auto& last = part("output", 0);
        last.push_back(
            std::make_unique<Conversion<double, float>>(output.values.span(), output_.span()));
        if (auto activation = finish(layers_.back().activation, output_.span(), output.channels))
            last.push_back(std::move(activation));
    }

    std::span<const Part> parts() const override { return parts_; }
    std::span<float> input() override { return input_.span(); }
    std::span<const float> output() const override { return output_.span(); }

    std::size_t bytes() const override {
        std::size_t bytes = input_.mapped_bytes() + output_.mapped_bytes();
        for (const Image& image : images_) bytes += image.values.mapped_bytes();
        for (const Layer& layer : layers_)
            bytes += (layer.weights.size() + layer.bias.size()) * sizeof(float);
        return bytes;
    }

private:
    std::vector<std::unique_ptr<Step>>& part(std::string layers, double flops) {
        parts_.push_back({std::move(layers), flops, flops, {}});
        return parts_.back().steps;
    }

    std::unique_ptr<Step> step(const Layer& layer) {
        std::vector<Image*> inputs;
        for (const std::size_t input : layer.inputs) inputs.push_back(&images_[input]);
        Image& output = images_[layer.output];
        switch (layer.operation) {
            case Operation::convolution:
                return std::make_unique<Convolution>(layer, std::move(inputs), output);
            case Operation::transposed_convolution:
                return std::make_unique<TransposedConvolution>(layer, std::move(inputs), output);
            case Operation::max_pooling:
                break;
        }
        return std::make_unique<Pooling>(*inputs[0], output);
    }

    std::vector<Layer> layers_;
    std::vector<Image> images_;
    Buffer<float> input_, output_;
    std::vector<Part> parts_;
};

}  // namespace

std::unique_ptr<Engine> make(const Plan& plan) {
    return std::make_unique<Reference>(plan);
}

}  // namespace stend::unet::reference
