// The wall between what runs a rebinning and what computes it: for one variant, two steps on rows
// of slices in lanes.
#pragma once

#include <span>
#include <string_view>

#include "isa/isa.h"
#include "tomo/fan/tables.h"

namespace stend::tomo::fan {

struct Kernels {
    std::string_view name;
    isa::Features needs;
    unsigned lanes;

    // Each lane's row of the fan's detector at the parallel pixels' fan angles; `scratch` has room
    // for a row of the detector.
    void (*across)(const Tables& tables, const float* const* rows, float* to, float* scratch);

    // The parallel projection `angle` from all of those, to the first `count` lanes' rows;
    // `scratch` has room for a row of it.
    void (*around)(const Tables& tables, const float* from, std::size_t angle, float* const* rows,
                   unsigned count, float* scratch);
};

// Slowest first.
std::span<const Kernels> variants();

// Of each file.
extern const Kernels portable, avx2, avx512;

}  // namespace stend::tomo::fan
