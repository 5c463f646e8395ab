// Convolution as matrix products: for each tap, weights [output][input] times the pixels shifted by
// it. What im2col would copy nine times is read from the map itself.
#include <algorithm>
#include <utility>

#include "unet/blas/layers.h"
#include "unet/blas/strips.h"

namespace stend::unet::blas {
namespace {

constexpr std::size_t most_channels = 256;

class Convolution final : public Step {
public:
    Convolution(const Layer& layer, const std::vector<const Map*>& inputs, const Map& output,
                const Sgemm& sgemm)
        : inputs_(inputs),
          output_(output),
          kernel_(layer.kernel),
          relu_(layer.activation == Activation::relu),
          sgemm_(sgemm),
          strips_(output, output.channels(), most_channels),
          weights_(layer.weights.size()),
          bias_(layer.bias) {
        for (const Map* input : inputs) channels_ += input->channels();
        const std::size_t taps = kernel_ * kernel_, rows = output.channels() * channels_;
        for (std::size_t row = 0; row < rows; ++row)
            for (std::size_t tap = 0; tap < taps; ++tap)
                weights_.data()[tap * rows + row] = layer.weights[row * taps + tap];
    }

    std::size_t bytes() const { return weights_.mapped_bytes() + bias_.size() * sizeof(float); }

    std::size_t items() const override { return strips_.count(); }

    void work(std::size_t first, std::size_t last, unsigned) noexcept override {
        for (std::size_t item = first; item < last; ++item) {
            multiply(strips_[item]);
            finish(strips_[item]);
        }
    }

private:
    void multiply(const Strips::Item& item) const {
        const std::size_t half = kernel_ / 2;
        bool add = false;
        std::size_t channel = 0;
        for (const Map* input : inputs_) {
            for (std::size_t y = 0; y < kernel_; ++y)
                for (std::size_t x = 0; x < kernel_; ++x, add = true)
                    sgemm_(item.channels, item.rows * output_.pitch(), input->channels(),
                           weights(y * kernel_ + x, item.channel, channel), channels_,
                           input->row(0, item.row + y) - half * (input->pitch() + 1) + x,
                           input->plane(), output_.row(item.channel, item.row), output_.plane(),
                           add);
            channel += input->channels();
        }
    }

    const float* weights(std::size_t tap, std::size_t output, std::size_t input) const {
        return weights_.data() + (tap * output_.channels() + output) * channels_ + input;
    }

    // The product's column after each row is of no pixel; it becomes zero again.
    void finish(const Strips::Item& item) const {
        for (std::size_t channel = item.channel; channel < item.channel + item.channels; ++channel)
            for (std::size_t y = item.row; y < item.row + item.rows; ++y) {
                float* to = output_.row(channel, y);
                for (std::size_t x = 0; x < output_.width(); ++x) to[x] += bias_[channel];
                if (relu_)
                    for (std::size_t x = 0; x < output_.width(); ++x) to[x] = std::max(to[x], 0.0F);
                to[output_.width()] = 0;
            }
    }

    std::vector<const Map*> inputs_;
    const Map& output_;
    std::size_t kernel_, channels_ = 0;
    bool relu_;
    Sgemm sgemm_;
    Strips strips_;
    Buffer<float> weights_;  // [tap][output][input]
    std::vector<float> bias_;
};

}  // namespace

Made convolution(const Layer& layer, const std::vector<const Map*>& inputs, const Map& output,
                 const Sgemm& sgemm) {
    auto step = std::make_unique<Convolution>(layer, inputs, output, sgemm);
    const double flops = 2 * static_cast<double>(layer.weights.size() * output.height()) *
                         static_cast<double>(output.pitch());
    const std::size_t bytes = step->bytes();
    return {std::move(step), flops, bytes};
}

}  // namespace stend::unet::blas
