// Inference as work to be measured: the classic U-Net on two images in turn, through the engine's
// public interface. Comes in: in which numbers, the images' side, how many threads, by which
// variant, and the BLAS that `blas` multiplies with; goes out: a kernel whose one repetition is one
// image, with the weights in their final form.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <stend/unet/network.hpp>
#include <string_view>

#include "blas/library.h"
#include "kernel.h"

namespace stend::inference {

// `library` is what the variant `blas` multiplies with; the others need none.
//
// Throws std::invalid_argument for a side that there are no known answers of and for a variant that
// there isn't or that can't run here; prepare() throws OutOfMemory, and Unavailable for a library
// that can't be loaded.
std::unique_ptr<Kernel> kernel(unet::Precision precision, std::size_t side, unsigned threads,
                               std::string_view variant,
                               const std::optional<blas::Description>& library = {});

}  // namespace stend::inference
