// Which way a layer takes, by the size of the transformed weights.
#include "unet/winograd/convolution3.h"

#include "unet/winograd/layer.h"
#include "unet/winograd/panels.h"

namespace stend::unet::winograd {
namespace {

// Transforming a filter on the way costs what 6 tiles' products with it do; reading it transformed
// takes four times the memory. Inputs that are too many for the caches are read again for every few
// output channels. Measured on a Zen 5 (README.md).
constexpr std::size_t few_tiles = 64, many_weights_a_tile = std::size_t{256} << 10,
                      many_inputs = std::size_t{5} << 20;

bool passes(std::size_t tiles, const Panels& panels) {
    const std::size_t element = elements * sizeof(float);
    return tiles <= few_tiles && element * panels.floats() > tiles * many_weights_a_tile &&
           element * panels.inputs * tiles <= many_inputs;
}

}  // namespace

blocked::Made convolution3(const Kernels& kernels, const blocked::Stage& stage, unsigned threads,
                           blocked::Workspace& workspace) {
    const bool on_the_way = passes(Transforms(kernels, stage).tiles(), Panels(kernels, stage));
    return (on_the_way ? passing : kept)(kernels, stage, threads, workspace);
}

}  // namespace stend::unet::winograd
