// A pixel is an item; exponentials are taken in double, for they are few.
#include "unet/finish.h"

#include <algorithm>
#include <cmath>

namespace stend::unet {
namespace {

class Sigmoid final : public Step {
public:
    explicit Sigmoid(std::span<float> output) : output_(output) {}

    std::size_t items() const override { return output_.size(); }

    void work(std::size_t first, std::size_t last, unsigned) noexcept override {
        for (float& value : output_.subspan(first, last - first))
            value = static_cast<float>(1 / (1 + std::exp(-static_cast<double>(value))));
    }

private:
    std::span<float> output_;
};

class Softmax final : public Step {
public:
    Softmax(std::span<float> output, std::size_t channels)
        : output_(output), channels_(channels), pixels_(output.size() / channels) {}

    std::size_t items() const override { return pixels_; }

    void work(std::size_t first, std::size_t last, unsigned) noexcept override {
        for (std::size_t pixel = first; pixel < last; ++pixel) normalize(&output_[pixel]);
    }

private:
    // The largest is subtracted first, so that nothing overflows.
    void normalize(float* pixel) const {
        float largest = pixel[0];
        for (std::size_t c = 1; c < channels_; ++c) largest = std::max(largest, pixel[c * pixels_]);
        double sum = 0;
        for (std::size_t c = 0; c < channels_; ++c)
            sum += std::exp(static_cast<double>(pixel[c * pixels_]) - largest);
        for (std::size_t c = 0; c < channels_; ++c) {
            const double power = std::exp(static_cast<double>(pixel[c * pixels_]) - largest);
            pixel[c * pixels_] = static_cast<float>(power / sum);
        }
    }

    std::span<float> output_;
    std::size_t channels_, pixels_;
};

}  // namespace

std::unique_ptr<Step> finish(Activation activation, std::span<float> output, std::size_t channels) {
    if (activation == Activation::sigmoid) return std::make_unique<Sigmoid>(output);
    if (activation == Activation::softmax) return std::make_unique<Softmax>(output, channels);
    return nullptr;
}

}  // namespace stend::unet
