// Weights in the order in which products read them: in panels of a few output channels, each with
// all input channels one after another; zeros where a plane's lane holds no channel.
#pragma once

#include <algorithm>
#include <vector>

#include "buffers/buffer.h"
#include "unet/blocked/stage.h"
#include "unet/winograd/kernels.h"

namespace stend::unet::winograd {

// How a matrix of inputs × outputs lies in panels: [panel][input][output of the panel].
struct Panels {
    Panels(const Kernels& kernels, const blocked::Stage& stage)
        : panel(kernels.panel),
          inputs(stage.in.size() * line),
          outputs(stage.out.size() * line),
          count((outputs + panel - 1) / panel) {}

    std::size_t width(std::size_t number) const {
        return std::min(panel, outputs - number * panel);
    }
    std::size_t offset(std::size_t number) const { return number * panel * inputs; }
    std::size_t floats() const { return inputs * outputs; }

    std::size_t panel, inputs, outputs, count;
};

// Filters of a 3×3 convolution: [panel][input][3][3][output of the panel].
Buffer<float> filters(const Panels& panels, const blocked::Stage& stage);

// A transposed 2×2 convolution: four matrices, [2][2][panel][input][output of the panel].
Buffer<float> matrices(const Panels& panels, const blocked::Stage& stage);

// Of each lane of the output's planes.
std::vector<float> padded_bias(const blocked::Stage& stage);

}  // namespace stend::unet::winograd
