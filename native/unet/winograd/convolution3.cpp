// Which way a layer takes, by the size of the transformed weights.
#include "unet/winograd/convolution3.h"

#include "unet/winograd/layer.h"
#include "unet/winograd/panels.h"

namespace stend::unet::winograd {
namespace {

// Transforming a filter on the way costs what 6 tiles' products with it do; reading it transformed
// takes four times the memory. Measured on a Zen 5 (README.md).
constexpr std::size_t few_tiles = 32, many_weights = std::size_t{10} << 20;

}  // namespace

blocked::Made convolution3(const Kernels& kernels, const blocked::Stage& stage, unsigned threads,
                           blocked::Workspace& workspace) {
    const std::size_t bytes = elements * Panels(kernels, stage).floats() * sizeof(float);
    const bool passes = bytes > many_weights && Transforms(kernels, stage).tiles() <= few_tiles;
    return (passes ? passing : kept)(kernels, stage, threads, workspace);
}

}  // namespace stend::unet::winograd
