// Which way a layer takes, by the size of the transformed weights.
#include "unet/winograd/convolution3.h"

#include "unet/winograd/panels.h"

namespace stend::unet::winograd {
namespace {

// Measured on a Zen 5 (README.md): a layer is 1.2 to 1.5 times faster with kept weights; the
// classic network's largest alone has more, and without that it would need a quarter of memory
// more.
constexpr std::size_t most_kept = std::size_t{100} << 20;

}  // namespace

blocked::Made convolution3(const Kernels& kernels, const blocked::Stage& stage, unsigned threads,
                           blocked::Workspace& workspace) {
    const std::size_t bytes = elements * Panels(kernels, stage).floats() * sizeof(float);
    return (bytes <= most_kept ? kept : passing)(kernels, stage, threads, workspace);
}

}  // namespace stend::unet::winograd
