// The wall between what shares the work (preparation.cpp) and what does it: the kernels of a
// variant, each for one row of the detector.
#pragma once

#include <span>
#include <stend/tomo/preparation.hpp>

#include "buffers/buffer.h"
#include "isa/isa.h"

namespace stend::tomo::preparation {

// One image's row: `count` pixels.
template <typename Pixel>
using Normalize = Seen (*)(const Pixel* counts, std::size_t count, const Fields& fields,
                           const Limits& limits, Result result, float* to);

// The same row of three images; returns how many were replaced.
template <typename Pixel>
using Zingers = std::size_t (*)(const Pixel* before, const Pixel* from, const Pixel* after,
                                std::size_t count, float share, Pixel* to);

// A sinogram.
struct Sinogram {
    const float* from;
    std::ptrdiff_t from_stride;  // from an angle to the next
    float* to;
    std::ptrdiff_t to_stride;
    std::size_t angles, columns;
};

// What sorting needs beside; for sinograms of one size, on one thread, which is the first to touch
// it.
class Workspace {
public:
    Workspace(std::size_t angles, std::size_t columns, std::size_t window);

    std::size_t ranks;              // angles, rounded up to whole vectors and an odd number of them
    Buffer<float> sorted;           // (column, rank)
    Buffer<std::uint32_t> order;    // (column, rank): the angle that has this rank
    Buffer<float> smooth;           // (column, rank); at first (column, angle)
    Buffer<float> window;           // the values under the median, in order; a vector each
    Buffer<std::uint64_t> keys[2];  // of a column
};

using Stripes = void (*)(const Sinogram& sinogram, std::size_t window, Workspace& workspace);

struct Kernels {
    std::string_view name;
    isa::Features needs;
    Normalize<std::uint16_t> normalize_counts;
    Normalize<float> normalize_floats;
    Zingers<std::uint16_t> zingers_counts;
    Zingers<float> zingers_floats;
    Stripes stripes;
};

extern const Kernels portable;
#if defined(__x86_64__)
extern const Kernels avx2;
extern const Kernels avx512;
#endif

}  // namespace stend::tomo::preparation
