// Transposed 2×2 convolution: one matrix product for the four pixels that each pixel becomes, then
// they are put in their places.
#include <algorithm>
#include <limits>
#include <utility>

#include "unet/blas/layers.h"
#include "unet/blas/strips.h"

namespace stend::unet::blas {
namespace {

constexpr std::size_t positions = 4;
constexpr std::size_t most_channels = 64;

class Transposed final : public Step {
public:
    Transposed(const Layer& layer, const std::vector<const Map*>& inputs, const Map& output,
               const Sgemm& sgemm, unsigned threads)
        : inputs_(inputs),
          output_(output),
          relu_(layer.activation == Activation::relu),
          sgemm_(sgemm),
          strips_(*inputs[0], output.channels(), most_channels),
          product_(positions * strips_.most_channels() * strips_.most_rows() * inputs[0]->pitch()),
          products_(threads * product_),
          weights_(layer.weights.size()),
          bias_(layer.bias) {
        for (const Map* input : inputs) channels_ += input->channels();
        const std::size_t rows = output.channels() * positions;
        for (std::size_t channel = 0; channel < channels_; ++channel)
            for (std::size_t row = 0; row < rows; ++row)
                weights_.data()[row * channels_ + channel] = layer.weights[channel * rows + row];
    }

    std::size_t bytes() const {
        return products_.mapped_bytes() + weights_.mapped_bytes() + bias_.size() * sizeof(float);
    }

    std::size_t items() const override { return strips_.count(); }

    void work(std::size_t first, std::size_t last, unsigned member) noexcept override {
        float* product = products_.data() + member * product_;
        for (std::size_t item = first; item < last; ++item) {
            multiply(strips_[item], product);
            place(strips_[item], product);
        }
    }

private:
    void multiply(const Strips::Item& item, float* product) const {
        const std::size_t columns = item.rows * inputs_[0]->pitch();
        std::size_t channel = 0;
        for (const Map* input : inputs_) {
            sgemm_(positions * item.channels, columns, input->channels(),
                   weights_.data() + item.channel * positions * channels_ + channel, channels_,
                   input->row(0, item.row), input->plane(), product, columns, channel > 0);
            channel += input->channels();
        }
    }

    void place(const Strips::Item& item, const float* product) const {
        const std::size_t pitch = inputs_[0]->pitch(), columns = item.rows * pitch;
        for (std::size_t channel = 0; channel < item.channels; ++channel)
            for (std::size_t row = 0; row < 2 * item.rows; ++row) {
                const float* left =
                    product + (channel * positions + row % 2 * 2) * columns + row / 2 * pitch;
                interleave(left, left + columns, bias_[item.channel + channel],
                           output_.row(item.channel + channel, 2 * item.row + row));
            }
    }

    void interleave(const float* left, const float* right, float bias, float* to) const {
        const float least = relu_ ? 0.0F : -std::numeric_limits<float>::infinity();
        for (std::size_t x = 0; x < output_.width() / 2; ++x) {
            to[2 * x] = std::max(left[x] + bias, least);
            to[2 * x + 1] = std::max(right[x] + bias, least);
        }
    }

    std::vector<const Map*> inputs_;
    const Map& output_;
    std::size_t channels_ = 0;
    bool relu_;
    Sgemm sgemm_;
    Strips strips_;
    std::size_t product_;     // floats of a thread's
    Buffer<float> products_;  // [thread][output channel][position][column]
    Buffer<float> weights_;   // [output][position][input]
    std::vector<float> bias_;
};

}  // namespace

Made transposed(const Layer& layer, const std::vector<const Map*>& inputs, const Map& output,
                const Sgemm& sgemm, unsigned threads) {
    auto step = std::make_unique<Transposed>(layer, inputs, output, sgemm, threads);
    const double flops = 2 * static_cast<double>(layer.weights.size() * inputs[0]->height()) *
                         static_cast<double>(inputs[0]->pitch());
    const std::size_t bytes = step->bytes();
    return {std::move(step), flops, bytes};
}

}  // namespace stend::unet::blas
