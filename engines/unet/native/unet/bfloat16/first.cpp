// The first convolution, of an image with few channels, by its definition: each number of the image
// times 32 weights. An item is a row, whose neighbours are laid out with zeros around them first.
#if defined(__x86_64__)

#include <algorithm>

#include "unet/bfloat16/edges.h"
#include "unet/bfloat16/lanes.h"

namespace stend::unet::bfloat16 {
namespace {

using blocked::Made;
using blocked::Plane;
using blocked::Stage;
using blocked::Workspace;

constexpr std::size_t strip = 8;  // pixels that are summed at once

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16")

template <std::size_t parts>
class First final : public Step {
public:
    First(const Stage& stage, unsigned threads, Workspace& workspace)
        : image_(stage.image),
          to_(stage.to),
          out_(stage.out),
          kernel_(stage.layer.kernel),
          workspace_(workspace),
          relu_(stage.layer.activation == Activation::relu) {
        const Layer& layer = stage.layer;
        const std::size_t outputs = layer.bias.size();
        panels_ = out_.size() / parts;
        terms_ = layer.weights.size() / outputs;
        rows_ = terms_ / kernel_;
        row_ = to_.width + kernel_ - 1 + strip;
        weights_.resize(panels_ * terms_ * plane_channels);
        bias_.resize(panels_ * plane_channels);
        std::ranges::copy(layer.bias, bias_.begin());
        for (std::size_t out = 0; out < outputs; ++out)
            for (std::size_t term = 0; term < terms_; ++term)
                weights_[(out / plane_channels * terms_ + term) * plane_channels +
                         out % plane_channels] = layer.weights[out * terms_ + term];
        workspace.need(threads * rows_ * row_ * sizeof(float));
    }

    std::size_t items() const override { return to_.height; }

    void work(std::size_t first, std::size_t last, unsigned member) noexcept override {
        float* rows = reinterpret_cast<float*>(workspace_.data()) + member * rows_ * row_;
        for (std::size_t y = first; y < last; ++y) {
            lay_out(rows, y);
            for (std::size_t panel = 0; panel < panels_; ++panel)
                for (std::size_t x = 0; x < to_.width; x += strip) compute(rows, panel, y, x);
        }
    }

    std::size_t bytes() const { return weights_.size() * sizeof(float); }

private:
    // The rows that row y of the output is made of: of each channel, `kernel_`.
    void lay_out(float* rows, std::size_t y) const {
        const std::size_t reach = kernel_ / 2;
        for (std::size_t r = 0; r < rows_; ++r, rows += row_) {
            std::fill_n(rows, row_, 0.0F);
            const std::size_t from = y + r % kernel_;  // plus `reach`
            if (from < reach || from - reach >= to_.height) continue;
            const std::size_t line = r / kernel_ * to_.height + from - reach;
            std::copy_n(image_ + line * to_.width, to_.width, rows + reach);
        }
    }

    void compute(const float* rows, std::size_t panel, std::size_t y, std::size_t x) const {
        Lanes sums[strip];
        for (Lanes& sum : sums) sum = lanes(bias_.data() + panel * plane_channels);
        const float* weight = weights_.data() + panel * terms_ * plane_channels;
        for (std::size_t term = 0; term < terms_; ++term, weight += plane_channels) {
            const float* from = rows + term / kernel_ * row_ + term % kernel_ + x;
            const Lanes weights = lanes(weight);
            for (std::size_t i = 0; i < strip; ++i) {
                const __m512 value = _mm512_set1_ps(from[i]);
                sums[i] = {_mm512_fmadd_ps(value, weights.low, sums[i].low),
                           _mm512_fmadd_ps(value, weights.high, sums[i].high)};
            }
        }
        const std::ptrdiff_t begin =
            to_.offset(static_cast<std::ptrdiff_t>(y), static_cast<std::ptrdiff_t>(x));
        for (std::size_t i = 0; i < std::min(strip, to_.width - x); ++i)
            write<parts>(&out_[panel], panels_,
                         begin + static_cast<std::ptrdiff_t>(i * blocked::pixel_floats),
                         relu_ ? larger(zero(), sums[i]) : sums[i]);
    }

    const float* image_;
    blocked::Geometry to_;
    std::vector<Plane> out_;
    std::size_t kernel_;
    const Workspace& workspace_;
    bool relu_;
    std::size_t panels_, terms_;  // of 32 output channels; numbers of the image in an output
    std::size_t rows_, row_;      // laid out, and the length of each
    std::vector<float> weights_, bias_;
};

STEND_FOR_ANY

}  // namespace

template <std::size_t parts>
Made first(const Stage& stage, unsigned threads, Workspace& workspace) {
    auto step = std::make_unique<First<parts>>(stage, threads, workspace);
    const double terms = static_cast<double>(stage.layer.weights.size());
    const double pixels = static_cast<double>(stage.to.height * stage.to.width);
    return blocked::made_of(std::move(step), 2 * terms * pixels);
}

template Made first<1>(const Stage&, unsigned, Workspace&);
template Made first<2>(const Stage&, unsigned, Workspace&);

}  // namespace stend::unet::bfloat16
#endif
