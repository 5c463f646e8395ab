// Weights of a few output channels are taken along some rows of pixels, so that both stay in the
// caches.
#include "unet/winograd/transposed.h"

#include <algorithm>

#include "unet/winograd/panels.h"

namespace stend::unet::winograd {
namespace {

// Bytes of inputs that are gone through at a time.
constexpr std::size_t most_bytes = std::size_t{512} << 10;

// An item is a row of pixels of the input.
class Transposed final : public Step {
public:
    Transposed(const Kernels& kernels, const blocked::Stage& stage)
        : kernels_(kernels),
          panels_(kernels, stage),
          weights_(matrices(panels_, stage)),
          bias_(padded_bias(stage)),
          relu_(stage.layer.activation == Activation::relu),
          from_(stage.from),
          to_(stage.to),
          in_(stage.in[0]),
          out_(stage.out),
          rows_(std::max<std::size_t>(
              1, most_bytes / (from_.width * panels_.inputs * sizeof(float)))) {
        for (const blocked::Plane plane : stage.in) offsets_.push_back(plane - in_);
    }

    std::size_t bytes() const { return weights_.mapped_bytes(); }
    double flops() const {
        return 2.0 * 4 * static_cast<double>(panels_.floats()) *
               static_cast<double>(from_.height * from_.width);
    }

    std::size_t items() const override { return from_.height; }
    std::size_t at_once() const override { return std::min(rows_, from_.height); }

    void work(std::size_t first, std::size_t last, unsigned) noexcept override {
        for (; first < last; first += rows_)
            for (std::size_t tap = 0; tap < 4; ++tap)
                for (std::size_t panel = 0; panel < panels_.count; ++panel)
                    for (std::size_t y = first; y < std::min(first + rows_, last); ++y)
                        multiply(tap, panel, y, y == first);
    }

private:
    void multiply(std::size_t tap, std::size_t panel, std::size_t row, bool fetch) {
        const std::size_t channel = panel * panels_.panel, plane = channel / line;
        const auto y = static_cast<std::ptrdiff_t>(row), dy = static_cast<std::ptrdiff_t>(tap / 2),
                   dx = static_cast<std::ptrdiff_t>(tap % 2);
        const std::ptrdiff_t to = to_.offset(2 * y + dy, dx);
        const float* b = weights_.data() + tap * panels_.floats() + panels_.offset(panel);
        kernels_.product({.rows = from_.width,
                          .a = in_ + from_.offset(y, 0),
                          .offsets = offsets_.data(),
                          .planes = offsets_.size(),
                          .b = b,
                          .channels = panels_.width(panel),
                          .c = {out_[plane] + to + channel % line,
                                plane + 1 < out_.size() ? out_[plane + 1] + to : nullptr},
                          .step = 2 * line,
                          .add = false,
                          .bias = &bias_[channel],
                          .relu = relu_,
                          .next = fetch ? b + panels_.inputs * panels_.width(panel) : nullptr});
    }

    const Kernels& kernels_;
    Panels panels_;
    Buffer<float> weights_;
    std::vector<float> bias_;
    bool relu_;
    blocked::Geometry from_, to_;
    blocked::Plane in_;
    std::vector<std::ptrdiff_t> offsets_;  // of the input's planes from the first
    std::vector<blocked::Plane> out_;
    std::size_t rows_;  // at a time
};

}  // namespace

blocked::Made transposed(const Kernels& kernels, const blocked::Stage& stage) {
    auto step = std::make_unique<Transposed>(kernels, stage);
    blocked::Made made{.steps = {}, .flops = step->flops(), .bytes = step->bytes()};
    made.steps.push_back(std::move(step));
    return made;
}

}  // namespace stend::unet::winograd
