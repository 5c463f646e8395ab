// Transposed 2×2 convolution: the pixels of one position in all 2×2 squares are a 1×1 convolution
// of the input. An item is an output plane of a row of the input.
#include <utility>

#include "unet/float32/kernels.h"
#include "unet/float32/row.h"
#include "unet/float32/weights.h"

namespace stend::unet::float32 {
namespace {

constexpr std::size_t lanes = blocked::pixel_floats;
constexpr std::size_t positions = 4;
constexpr std::ptrdiff_t in_place = 0;

class Transposed final : public Step {
public:
    Transposed(const Stage& stage, const Arithmetic& by)
        : by_(by),
          in_(stage.in.begin(), stage.in.end()),
          out_(stage.out),
          from_(stage.from),
          to_(stage.to),
          relu_(stage.layer.activation == Activation::relu) {
        const Layer& layer = stage.layer;
        const std::size_t outputs = layer.bias.size();
        for (std::size_t position = 0; position < positions; ++position)
            weights_.emplace_back(
                stage.channels, lanes, outputs, 1, by.group,
                [&](std::size_t output, std::size_t input, std::size_t) {
                    return layer.weights[(input * outputs + output) * positions + position];
                },
                layer.bias);
    }

    std::size_t bytes() const { return positions * weights_[0].bytes(); }

    std::size_t items() const override { return from_.height * out_.size(); }

    void work(std::size_t first, std::size_t last, unsigned) noexcept override {
        for (std::size_t item = first; item < last; ++item)
            for (std::size_t lane = 0; lane < lanes; lane += by_.group)
                for (std::size_t position = 0; position < positions; ++position)
                    row(item % out_.size(), lane, item / out_.size(), position);
    }

private:
    void row(std::size_t plane, std::size_t lane, std::size_t y, std::size_t position) const {
        const std::size_t output = plane * lanes + lane;
        const auto from = static_cast<std::ptrdiff_t>(y),
                   to = static_cast<std::ptrdiff_t>(2 * y + position / 2),
                   x = static_cast<std::ptrdiff_t>(position % 2);
        along_row(by_.planes, by_.pixels, from_.width, lanes,
                  {.planes = in_.data(),
                   .plane_count = in_.size(),
                   .taps = &in_place,
                   .tap_count = 1,
                   .first = from_.offset(from, 0),
                   .weights = weights_[position].of(output),
                   .bias = weights_[position].bias(output),
                   .relu = relu_,
                   .to = out_[plane] + to_.offset(to, x) + lane,
                   .step = 2 * lanes});
    }

    const Arithmetic& by_;
    std::vector<Weights> weights_;  // of each position
    std::vector<const float*> in_;
    std::vector<blocked::Plane> out_;
    blocked::Geometry from_, to_;
    bool relu_;
};

}  // namespace

Made transposed(const Stage& stage, const Arithmetic& by) {
    auto step = std::make_unique<Transposed>(stage, by);
    return blocked::made_of(std::move(step), flops(stage));
}

}  // namespace stend::unet::float32
