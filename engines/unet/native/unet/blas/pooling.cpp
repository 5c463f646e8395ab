// The largest of each 2×2 pixels; an item is a channel.
#include <algorithm>

#include "unet/blas/layers.h"

namespace stend::unet::blas {
namespace {

class Pooling final : public Step {
public:
    Pooling(const Map& input, const Map& output) : input_(input), output_(output) {}

    std::size_t items() const override { return output_.channels(); }

    void work(std::size_t first, std::size_t last, unsigned) noexcept override {
        for (std::size_t channel = first; channel < last; ++channel)
            for (std::size_t y = 0; y < output_.height(); ++y) {
                const float* upper = input_.row(channel, 2 * y);
                const float* lower = upper + input_.pitch();
                float* to = output_.row(channel, y);
                for (std::size_t x = 0; x < output_.width(); ++x)
                    to[x] = std::max(std::max(upper[2 * x], upper[2 * x + 1]),
                                     std::max(lower[2 * x], lower[2 * x + 1]));
            }
    }

private:
    const Map& input_;
    const Map& output_;
};

}  // namespace

Made pooling(const Map& input, const Map& output) {
    return {std::make_unique<Pooling>(input, output)};
}

}  // namespace stend::unet::blas
