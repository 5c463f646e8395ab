// STREAM (McCalpin 1995): copy c = a, scale b = s·c, add c = a + b, triad a = b + s·c over
// double-precision arrays. Comes in: an operation, how many elements, which CPUs; goes out:
// a kernel whose every repetition does the operation once on every element.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "kernel.h"

namespace stend::stream {

enum class Operation : std::size_t { copy, scale, add, triad };

// Throws std::invalid_argument for an unknown name.
Operation operation(std::string_view name);

// out[i] = x[i] | s·x[i] | x[i] + y[i] | x[i] + s·y[i], for every i < count. The arrays
// begin at a cache line; `out` overlaps neither x nor y.
using Loop = void (*)(double* out, const double* x, const double* y, double scalar,
                      std::size_t count) noexcept;
using Loops = std::array<Loop, 4>;  // by operation

// Slowest first; the last available one is the default.
std::span<const Variant<Loops>> variants();

// How the work is dealt: one set of arrays of which each thread has a part, all meeting after
// each repetition; or a whole set for each thread, which works through a batch by itself.
enum class Arrays { shared, own };

// One thread on each of `cpus`, the calling one on the first; `elements` of each array. Throws
// std::invalid_argument for no elements; prepare() throws OutOfMemory, and
// std::invalid_argument for a CPU that may not be used.
std::unique_ptr<Kernel> kernel(Operation operation, Arrays arrays, std::size_t elements,
                               std::vector<int> cpus, const Variant<Loops>& variant);

}  // namespace stend::stream
