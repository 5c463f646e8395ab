// Convolution of planes, each output number the plain sum over taps and input channels. An item is
// an output plane of a band of rows, few enough for their input to stay in the cache while all
// output planes are made of it.
#include <algorithm>
#include <utility>

#include "unet/float32/kernels.h"
#include "unet/float32/row.h"
#include "unet/float32/weights.h"

namespace stend::unet::float32 {
namespace {

constexpr std::size_t lanes = blocked::pixel_floats;
constexpr std::size_t band_bytes = std::size_t{256} << 10U;  // half of a small second-level cache

// Even, so that a pooling finds both of its rows in a band.
std::size_t rows_in_band(const Stage& stage) {
    const std::size_t row = stage.in.size() * stage.from.pitch * blocked::pixel_bytes;
    return std::max<std::size_t>(2, band_bytes / row / 2 * 2);
}

std::vector<std::ptrdiff_t> taps_of(const Stage& stage) {
    const auto half = static_cast<std::ptrdiff_t>(stage.layer.kernel / 2);
    std::vector<std::ptrdiff_t> taps;
    for (std::ptrdiff_t y = -half; y <= half; ++y)
        for (std::ptrdiff_t x = -half; x <= half; ++x) taps.push_back(stage.from.offset(y, x));
    return taps;
}

class Convolution final : public Step {
public:
    Convolution(const Stage& stage, const Arithmetic& by)
        : by_(by),
          weights_(convolution_weights(stage.layer, stage.channels, lanes, by.group)),
          in_(stage.in.begin(), stage.in.end()),
          out_(stage.out),
          pooled_(stage.pooled),
          taps_(taps_of(stage)),
          from_(stage.from),
          to_(stage.to),
          pooled_to_(stage.pooled_to),
          relu_(stage.layer.activation == Activation::relu),
          rows_(rows_in_band(stage)) {}

    std::size_t bytes() const { return weights_.bytes(); }

    std::size_t items() const override { return (to_.height + rows_ - 1) / rows_ * out_.size(); }

    void work(std::size_t first, std::size_t last, unsigned) noexcept override {
        for (std::size_t item = first; item < last; ++item) {
            const std::size_t plane = item % out_.size(), begin = item / out_.size() * rows_,
                              end = std::min(begin + rows_, to_.height);
            for (std::size_t lane = 0; lane < lanes; lane += by_.group)
                for (std::size_t y = begin; y < end; ++y) row(plane, lane, y);
            if (!pooled_.empty())
                for (std::size_t y = begin / 2; y < end / 2; ++y) pool(plane, y);
        }
    }

private:
    void row(std::size_t plane, std::size_t lane, std::size_t y) const {
        const std::size_t output = plane * lanes + lane;
        const auto at = static_cast<std::ptrdiff_t>(y);
        along_row(by_.planes, by_.pixels, to_.width, lanes,
                  {.planes = in_.data(),
                   .plane_count = in_.size(),
                   .taps = taps_.data(),
                   .tap_count = taps_.size(),
                   .first = from_.offset(at, 0),
                   .weights = weights_.of(output),
                   .bias = weights_.bias(output),
                   .relu = relu_,
                   .to = out_[plane] + to_.offset(at, 0) + lane,
                   .step = lanes});
    }

    void pool(std::size_t plane, std::size_t y) const {
        const float* upper = out_[plane] + to_.offset(static_cast<std::ptrdiff_t>(2 * y), 0);
        by_.pool(upper, upper + to_.offset(1, 0), pooled_to_.width,
                 pooled_[plane] + pooled_to_.offset(static_cast<std::ptrdiff_t>(y), 0));
    }

    const Arithmetic& by_;
    Weights weights_;
    std::vector<const float*> in_;
    std::vector<blocked::Plane> out_, pooled_;
    std::vector<std::ptrdiff_t> taps_;
    blocked::Geometry from_, to_, pooled_to_;
    bool relu_;
    std::size_t rows_;
};

}  // namespace

Made convolution(const Stage& stage, const Arithmetic& by) {
    auto step = std::make_unique<Convolution>(stage, by);
    return blocked::made_of(std::move(step), flops(stage));
}

}  // namespace stend::unet::float32
