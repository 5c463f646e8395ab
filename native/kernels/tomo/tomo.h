// Tomographic reconstruction as work to be measured: slices of a phantom, whose pictures are
// known exactly, from its projections, through the library's public interface. Comes in: which
// published problem, by what algorithm, how many of its slices, on how many threads, by which
// variant; goes out: a kernel whose one repetition is all those slices, with the tables ready.
#pragma once

#include <memory>
#include <span>
#include <stend/tomo/parallel.hpp>
#include <string_view>

#include "kernel.h"

namespace stend::slices {

// A volume that the literature was measured with: slices of detectors × detectors pixels.
struct Problem {
    std::string_view name;
    std::string_view phantom;  // stend/tomo/phantom.hpp
    std::size_t slices, detectors, angles;
    double first, step;  // degrees
};

std::span<const Problem> problems();

// These throw std::invalid_argument for another name, with the known ones.
const Problem& problem(std::string_view name);
tomo::Algorithm algorithm(std::string_view name);

// `slices` of the problem's, evenly spread over its volume. Throws std::invalid_argument for more
// slices than there are and for a variant that there isn't or that can't run here; prepare() throws
// OutOfMemory.
std::unique_ptr<Kernel> kernel(const Problem& problem, tomo::Algorithm algorithm,
                               std::size_t slices, unsigned threads, std::string_view variant);

}  // namespace stend::slices
