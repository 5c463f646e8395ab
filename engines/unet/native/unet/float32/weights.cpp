// Packs weights, once for each network.
#include "unet/float32/weights.h"

#include <algorithm>

namespace stend::unet::float32 {
namespace {

std::size_t in_whole_planes(std::size_t channels) {
    constexpr std::size_t lanes = blocked::pixel_floats;
    return (channels + lanes - 1) / lanes * lanes;
}

}  // namespace

Weights::Weights(const std::vector<std::size_t>& channels, std::size_t lanes, std::size_t outputs,
                 std::size_t taps, std::size_t group, const Weight& weight,
                 const std::vector<float>& bias)
    : per_output_(channels.size() * taps),
      weights_(in_whole_planes(outputs) * per_output_),
      bias_(bias) {
    bias_.resize(in_whole_planes(outputs));
    float* to = weights_.data();
    for (std::size_t begin = 0; begin < bias_.size(); begin += group)
        for (std::size_t plane = 0; plane < channels.size(); plane += lanes)
            for (std::size_t tap = 0; tap < taps; ++tap)
                for (std::size_t lane = plane; lane < plane + lanes; ++lane)
                    for (std::size_t output = begin; output < begin + group; ++output, ++to)
                        if (output < outputs && channels[lane] != blocked::Stage::none)
                            *to = weight(output, channels[lane], tap);
}

Weights convolution_weights(const Layer& layer, const std::vector<std::size_t>& channels,
                            std::size_t lanes, std::size_t group) {
    const std::size_t taps = layer.kernel * layer.kernel, outputs = layer.bias.size(),
                      inputs = layer.weights.size() / taps / outputs;
    return {channels,
            lanes,
            outputs,
            taps,
            group,
            [&](std::size_t output, std::size_t input, std::size_t tap) {
                return layer.weights[(output * inputs + input) * taps + tap];
            },
            layer.bias};
}

}  // namespace stend::unet::float32
