// A layer's weights and biases in the order in which the micro-kernel reads them.
#pragma once

#include <functional>
#include <vector>

#include "buffers/buffer.h"
#include "unet/blocked/stage.h"
#include "unet/float32/arithmetic.h"

namespace stend::unet::float32 {

// Output channels, filled up to whole planes, in groups; what a channel lacks is zero.
class Weights {
public:
    // Of an output channel, an input channel and a tap.
    using Weight = std::function<float(std::size_t output, std::size_t input, std::size_t tap)>;

    // `channels` says which input channel a lane holds, or none, `lanes` of them in a plane;
    // `outputs` are real ones.
    Weights(const std::vector<std::size_t>& channels, std::size_t lanes, std::size_t outputs,
            std::size_t taps, std::size_t group, const Weight& weight,
            const std::vector<float>& bias);

    // What the group needs that begins with output channel `output`.
    const float* of(std::size_t output) const { return weights_.data() + output * per_output_; }
    const float* bias(std::size_t output) const { return &bias_[output]; }
    std::size_t bytes() const { return weights_.mapped_bytes() + bias_.size() * sizeof(float); }

private:
    std::size_t per_output_;
    Buffer<float> weights_;  // [group][plane][tap][lane][output channel]
    std::vector<float> bias_;
};

// A convolution's, with `lanes` input channels in a plane.
Weights convolution_weights(const Layer& layer, const std::vector<std::size_t>& channels,
                            std::size_t lanes, std::size_t group);

}  // namespace stend::unet::float32
