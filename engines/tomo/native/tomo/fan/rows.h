// Rows between rows, slices in lanes. To be included after STEND_FOR, and after kernels.h, which is
// for any processor.
#pragma once

#include "tomo/fan/kernels.h"
#include "tomo/lanes/lanes.h"

namespace stend::tomo::fan {

template <typename L>
void across(const Tables& tables, const float* const* rows, float* to, float* scratch) {
    into_lanes<L>(rows, tables.detectors, scratch, L::count);
    for (std::size_t i = 0; i < tables.beam.detectors; ++i) {
        const Between& between = tables.across[i];
        const float* from = scratch + std::size_t{between.first} * L::count;
        typename L::Float sum{};
#pragma GCC unroll 8
        for (unsigned k = 0; k < neighbours; ++k)
            sum += load<L>(from + k * L::count) * between.weights[k];
        store<L>(to + i * L::count, sum);
    }
}

template <typename L>
void around(const Tables& tables, const float* from, std::size_t angle, float* const* rows,
            unsigned count, float* scratch) {
    const std::size_t pixels = tables.beam.detectors, row = pixels * L::count;
    const std::size_t projections = tables.order.size();
    const Between* betweens = &tables.around[angle * pixels];
    for (std::size_t i = 0; i < pixels; ++i) {
        const Between& between = betweens[i];
        typename L::Float sum{};
#pragma GCC unroll 8
        for (unsigned k = 0; k < neighbours; ++k) {
            const std::size_t at = between.first + k;
            const std::size_t projection = at < projections ? at : at - projections;
            sum += load<L>(from + projection * row + i * L::count) * between.weights[k];
        }
        store<L>(scratch + i * L::count, sum);
    }
    out_of_lanes<L>(
        scratch, L::count, pixels, [](std::size_t) { return 1.0F; }, rows, count);
}

template <typename L>
constexpr Kernels kernels(std::string_view name, isa::Features needs) {
    return {name, needs, L::count, across<L>, around<L>};
}

}  // namespace stend::tomo::fan
