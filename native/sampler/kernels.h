// The sampler's own kernels: the measure of what it adds, and work that only a core does.
#pragma once

#include <memory>

#include "kernel.h"

namespace stend::sampler {

// Does nothing but count: what a batched execution costs at least.
std::unique_ptr<Kernel> empty();

// One execution is a chain of 1,000 dependent multiplications in registers.
std::unique_ptr<Kernel> spin();

}  // namespace stend::sampler
