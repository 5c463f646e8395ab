// Rows in lanes through the filter, the second half of them as imaginary parts of the first. To be
// included after STEND_FOR, and after kernels.h, which is for any processor.
#pragma once

#include "tomo/filtering.h"
#include "tomo/lanes/lanes.h"
#include "tomo/rows/kernels.h"

namespace stend::tomo::rows {

template <typename L>
void filter_in_lanes(const RampFilter& filter, const float* const* from, float* const* to,
                     unsigned count, float* scratch) {
    const std::size_t pixels = filter.detectors, stride = 2 * std::size_t{L::count};
    float* room = scratch + pixels * stride;
    into_lanes<L>(from, pixels, scratch, stride);
    into_lanes<L>(from + L::count, pixels, scratch + L::count, stride);
    auto* both = reinterpret_cast<Complex<L>*>(scratch);
    filter_rows<L>(
        filter, reinterpret_cast<Complex<L>*>(room),
        [=](std::size_t i) __attribute__((always_inline)) { return both[i]; },
        [=](std::size_t i, Complex<L> value) __attribute__((always_inline)) { both[i] = value; });
    const auto as_it_is = [](std::size_t) { return 1.0F; };
    const unsigned first = count < L::count ? count : L::count;
    out_of_lanes<L>(scratch, stride, pixels, as_it_is, to, first);
    out_of_lanes<L>(scratch + L::count, stride, pixels, as_it_is, to + first, count - first);
}

template <typename L>
constexpr Kernels kernels(std::string_view name, isa::Features needs) {
    return {name, needs, L::count, filter_in_lanes<L>};
}

}  // namespace stend::tomo::rows
