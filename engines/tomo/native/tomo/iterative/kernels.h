// The wall between what iterates and what computes: for one variant, functions on vectors of
// slices in lanes. A slice is [row][column][lane], a sinogram [angle][pixel][lane].
#pragma once

#include <span>
#include <string_view>

#include "isa/isa.h"
#include "tomo/iterative/rays.h"

namespace stend::tomo::iterative {

struct Kernels {
    std::string_view name;
    isa::Features needs;
    unsigned lanes;

    // Floats of memory that a thread lends to project() and back_project(); a multiple of 2.
    std::size_t (*scratch)(const Rays& rays);

    // Line integrals at angles first … last - 1.
    void (*project)(const Rays& rays, const float* slice, float* sinogram, std::size_t first,
                    std::size_t last, float* scratch);

    // A slice is made of tiles, which are back-projected one by one.
    std::size_t (*tiles)(const Rays& rays);
    void (*back_project)(const Rays& rays, const float* sinogram, float* slice, std::size_t first,
                         std::size_t last, float* scratch);

    // Between each lane's own row of `pixels` and vectors.
    void (*load)(const float* const* rows, std::size_t pixels, float* to);
    void (*unload)(const float* from, std::size_t pixels, float* const* rows, unsigned count);

    // What follows works on `pixels` vectors; `sums`, one a lane, is the sum of squares; `weights`,
    // one a pixel, are 1 when null.

    // difference = weights (b - q), sums of (b - q)²
    void (*subtract)(const float* b, const float* q, const float* weights, std::size_t pixels,
                     float* difference, double* sums);
    // x += step · weights · s; below zero becomes zero if `clamp`
    void (*advance)(float* x, const float* step, const float* s, const float* weights,
                    std::size_t pixels, bool clamp);
    // d = s + step · d
    void (*turn)(float* d, const float* step, const float* s, std::size_t pixels);
    // s = 0 where x is zero and s would make it negative
    void (*hold)(float* s, const float* x, std::size_t pixels);
    // s = 0 where d is
    void (*keep_held)(float* s, const float* d, std::size_t pixels);
    void (*squares)(const float* x, std::size_t pixels, double* sums);
};

// Slowest first.
std::span<const Kernels> variants();

// Of each file.
extern const Kernels reference, portable, avx2, avx512;

}  // namespace stend::tomo::iterative
