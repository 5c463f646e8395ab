// The wall between what runs the filter on rows and what computes it, in one variant.
#pragma once

#include <span>
#include <string_view>

#include "isa/isa.h"
#include "tomo/filter.h"

namespace stend::tomo::rows {

struct Kernels {
    std::string_view name;
    isa::Features needs;
    unsigned lanes;

    // Filters up to 2 · lanes rows; `from` names that many, some of them more than once, `to` as
    // many as there are. `scratch` has room for the filter's and for the rows.
    void (*filter)(const RampFilter& filter, const float* const* from, float* const* to,
                   unsigned count, float* scratch);

    std::size_t room(const RampFilter& filter) const {
        return filter.scratch_floats(lanes) + 2 * filter.detectors * lanes;
    }
};

// Slowest first.
std::span<const Kernels> variants();

// Of each file.
extern const Kernels portable, avx2, avx512;

}  // namespace stend::tomo::rows
