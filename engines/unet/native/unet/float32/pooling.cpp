// A max pooling that no convolution does on the way. An item is a row of an output plane.
#include <utility>

#include "unet/float32/kernels.h"

namespace stend::unet::float32 {
namespace {

class Pooling final : public Step {
public:
    Pooling(const Stage& stage, const Arithmetic& by)
        : pool_(by.pool), in_(stage.in), out_(stage.out), from_(stage.from), to_(stage.to) {}

    std::size_t items() const override { return out_.size() * to_.height; }

    void work(std::size_t first, std::size_t last, unsigned) noexcept override {
        for (std::size_t item = first; item < last; ++item) {
            const std::size_t plane = item / to_.height;
            const auto y = static_cast<std::ptrdiff_t>(item % to_.height);
            const float* upper = in_[plane] + from_.offset(2 * y, 0);
            pool_(upper, upper + from_.offset(1, 0), to_.width, out_[plane] + to_.offset(y, 0));
        }
    }

private:
    Pool pool_;
    std::vector<blocked::Plane> in_, out_;
    blocked::Geometry from_, to_;
};

}  // namespace

Made pooling(const Stage& stage, const Arithmetic& by) {
    Made made;
    made.steps.push_back(std::make_unique<Pooling>(stage, by));
    return made;
}

}  // namespace stend::unet::float32
