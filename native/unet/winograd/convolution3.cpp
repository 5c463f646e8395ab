// Which way, by the size of the transformed weights.
#include "unet/winograd/convolution3.h"

#include "unet/winograd/panels.h"

namespace stend::unet::winograd {
namespace {

constexpr std::size_t most_kept = std::size_t{100} << 20;  // bytes

}  // namespace

blocked::Made convolution3(const Kernels& kernels, const blocked::Stage& stage, unsigned threads,
                           blocked::Workspace& workspace) {
    const std::size_t bytes = elements * Panels(kernels, stage).floats() * sizeof(float);
    return (bytes <= most_kept ? kept : passing)(kernels, stage, threads, workspace);
}

}  // namespace stend::unet::winograd
