// Each number is put in its place once, when a network is made.
#include "unet/winograd/panels.h"

namespace stend::unet::winograd {
namespace {

// Calls put(panel, input, output, lane's input channel) for all lanes with channels; `output` is
// counted in the panel.
template <typename Put>
void each(const Panels& panels, const blocked::Stage& stage, Put put) {
    const std::size_t outputs = stage.layer.bias.size();
    for (std::size_t panel = 0; panel < panels.count; ++panel) {
        const std::size_t first = panel * panels.panel;
        const std::size_t width = first < outputs ? std::min(panels.panel, outputs - first) : 0;
        for (std::size_t input = 0; input < panels.inputs; ++input)
            if (stage.channels[input] != blocked::Stage::none)
                for (std::size_t output = 0; output < width; ++output)
                    put(panel, input, output, stage.channels[input]);
    }
}

std::size_t input_channels(const blocked::Stage& stage, std::size_t taps) {
    return stage.layer.weights.size() / (stage.layer.bias.size() * taps);
}

}  // namespace

Buffer<float> filters(const Panels& panels, const blocked::Stage& stage) {
    Buffer<float> packed(9 * panels.floats());
    const std::size_t channels = input_channels(stage, 9);
    each(panels, stage,
         [&](std::size_t panel, std::size_t input, std::size_t output, std::size_t channel) {
             const std::size_t width = panels.width(panel);
             float* to = packed.data() + 9 * (panels.offset(panel) + input * width) + output;
             const float* from =
                 &stage.layer.weights[((panel * panels.panel + output) * channels + channel) * 9];
             for (std::size_t tap = 0; tap < 9; ++tap) to[tap * width] = from[tap];
         });
    return packed;
}

Buffer<float> matrices(const Panels& panels, const blocked::Stage& stage) {
    Buffer<float> packed(4 * panels.floats());
    const std::size_t outputs = stage.layer.bias.size();
    each(panels, stage,
         [&](std::size_t panel, std::size_t input, std::size_t output, std::size_t channel) {
             float* to =
                 packed.data() + panels.offset(panel) + input * panels.width(panel) + output;
             const float* from =
                 &stage.layer.weights[(channel * outputs + panel * panels.panel + output) * 4];
             for (std::size_t tap = 0; tap < 4; ++tap) to[tap * panels.floats()] = from[tap];
         });
    return packed;
}

std::vector<float> padded_bias(const blocked::Stage& stage) {
    std::vector<float> bias(stage.out.size() * line);
    std::ranges::copy(stage.layer.bias, bias.begin());
    return bias;
}

}  // namespace stend::unet::winograd
