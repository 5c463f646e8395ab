// The simple kernels on planes, which float32 variants share: direct convolution of what is not
// worth more, pooling, and the caller's format. A variant takes kernels<its lanes>() and puts in
// their place what it has better.
//
// Threads share rows and planes of the output; the sums of a number are always taken in one order.
#pragma once

#include "unet/blocked/stage.h"
#include "unet/float32/arithmetic.h"

namespace stend::unet::float32 {

using blocked::Made;
using blocked::Stage;
using blocked::Workspace;

Made first(const Stage& stage, unsigned threads, Workspace& workspace, const Arithmetic& by);
Made convolution(const Stage& stage, const Arithmetic& by);  // 3×3 with its pooling, 1×1
Made last(const Stage& stage, const Arithmetic& by);
Made transposed(const Stage& stage, const Arithmetic& by);
Made pooling(const Stage& stage, const Arithmetic& by);

void enter(const float* image, const blocked::Geometry& to, std::size_t channels,
           const std::vector<blocked::Plane>& out, std::size_t row);
void leave(const std::vector<blocked::Plane>& in, const blocked::Geometry& from,
           std::size_t channels, float* result, std::size_t row);

// `by` is arithmetic<the variant's own lanes>, of in_lanes.h.
template <const Arithmetic& by>
constexpr blocked::Kernels kernels() {
    constexpr blocked::Kernels::Make convolve = [](const Stage& stage, unsigned, Workspace&) {
        return convolution(stage, by);
    };
    return {
        .form = {},
        .first = [](const Stage& stage, unsigned threads,
                    Workspace& workspace) { return first(stage, threads, workspace, by); },
        .convolution3 = convolve,
        .convolution1 = convolve,
        .last = [](const Stage& stage, unsigned, Workspace&) { return last(stage, by); },
        .transposed = [](const Stage& stage, unsigned,
                         Workspace&) { return transposed(stage, by); },
        .pooling = [](const Stage& stage, unsigned, Workspace&) { return pooling(stage, by); },
        .enter = enter,
        .leave = leave,
    };
}

}  // namespace stend::unet::float32
