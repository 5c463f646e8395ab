// Convolution of the caller's image. An item is a row: the image's rows around it are copied
// between zeros, then taken as planes of one lane.
#include <algorithm>
#include <array>
#include <utility>

#include "unet/float32/kernels.h"
#include "unet/float32/row.h"
#include "unet/float32/weights.h"

namespace stend::unet::float32 {
namespace {

constexpr std::size_t lanes = blocked::pixel_floats;
constexpr std::size_t most_channels = 4;

std::vector<std::size_t> numbered(std::size_t channels) {
    std::vector<std::size_t> numbers;
    for (std::size_t channel = 0; channel < channels; ++channel) numbers.push_back(channel);
    return numbers;
}

class First final : public Step {
public:
    First(const Stage& stage, unsigned threads, Workspace& workspace, const Arithmetic& by)
        : by_(by),
          workspace_(workspace),
          kernel_(stage.layer.kernel),
          channels_(stage.layer.weights.size() / (kernel_ * kernel_) / stage.layer.bias.size()),
          weights_(convolution_weights(stage.layer, numbered(channels_), 1, by.group)),
          image_(stage.image),
          out_(stage.out),
          to_(stage.to),
          pitch_(stage.to.width + kernel_ - 1),
          relu_(stage.layer.activation == Activation::relu) {
        for (std::size_t y = 0; y < kernel_; ++y)
            for (std::size_t x = 0; x < kernel_; ++x)
                taps_.push_back(static_cast<std::ptrdiff_t>(y * pitch_ + x));
        workspace.need(threads * rows() * sizeof(float));
    }

    std::size_t bytes() const { return weights_.bytes(); }

    std::size_t items() const override { return to_.height; }

    void work(std::size_t first, std::size_t last, unsigned member) noexcept override {
        float* rows_around = reinterpret_cast<float*>(workspace_.data()) + member * rows();
        for (std::size_t y = first; y < last; ++y) {
            copy(y, rows_around);
            for (std::size_t plane = 0; plane < out_.size(); ++plane)
                for (std::size_t lane = 0; lane < lanes; lane += by_.group)
                    row(rows_around, plane, lane, y);
        }
    }

private:
    // Floats of all channels' rows around one.
    std::size_t rows() const { return channels_ * kernel_ * pitch_; }

    void copy(std::size_t y, float* to) const {
        const std::size_t half = kernel_ / 2;
        for (std::size_t channel = 0; channel < channels_; ++channel)
            for (std::size_t tap = 0; tap < kernel_; ++tap, to += pitch_) {
                std::fill_n(to, pitch_, 0.0F);
                if (y + tap >= half && y + tap - half < to_.height)
                    std::copy_n(image_ + (channel * to_.height + y + tap - half) * to_.width,
                                to_.width, to + half);
            }
    }

    void row(const float* rows_around, std::size_t plane, std::size_t lane, std::size_t y) const {
        std::array<const float*, most_channels> planes{};
        for (std::size_t channel = 0; channel < channels_; ++channel)
            planes[channel] = rows_around + channel * kernel_ * pitch_;
        const std::size_t output = plane * lanes + lane;
        along_row(by_.image, by_.pixels, to_.width, 1,
                  {.planes = planes.data(),
                   .plane_count = channels_,
                   .taps = taps_.data(),
                   .tap_count = taps_.size(),
                   .first = 0,
                   .weights = weights_.of(output),
                   .bias = weights_.bias(output),
                   .relu = relu_,
                   .to = out_[plane] + to_.offset(static_cast<std::ptrdiff_t>(y), 0) + lane,
                   .step = lanes});
    }

    const Arithmetic& by_;
    const Workspace& workspace_;
    std::size_t kernel_, channels_;
    Weights weights_;
    const float* image_;
    std::vector<blocked::Plane> out_;
    blocked::Geometry to_;
    std::vector<std::ptrdiff_t> taps_;
    std::size_t pitch_;  // of the copied rows
    bool relu_;
};

}  // namespace

Made first(const Stage& stage, unsigned threads, Workspace& workspace, const Arithmetic& by) {
    auto step = std::make_unique<First>(stage, threads, workspace, by);
    return blocked::made_of(std::move(step), flops(stage));
}

}  // namespace stend::unet::float32
