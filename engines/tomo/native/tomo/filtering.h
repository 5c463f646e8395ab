// Projections through the ramp filter by Fourier transforms, slices in lanes: two real rows go as
// the real and imaginary part of one, since the filter is real and even.
//
//     const RampFilter filter(plan);
//     filter_pair<L>(filter, batch, 0, pair, scratch, [&](std::size_t i, Complex<L> q) {
//         …q.re is pixel i of projection 2 * pair, q.im of the one after, times their weights…
//     });
//
// To be included after STEND_FOR, and after tomo/filter.h.
#pragma once

#include "tomo/fft/transform.h"
#include "tomo/filter.h"

namespace stend::tomo {

// Two rows: reads pixel i of both as read(i), i < detectors, in no order; writes each as write(i,
// value), when all was read.
template <typename L, typename Read, typename Write>
STEND_INLINE void filter_rows(const RampFilter& filter, Complex<L>* scratch, const Read& read,
                              const Write& write) {
    const std::size_t pixels = filter.detectors;
    const float* response = filter.response.data();
    Complex<L>* spectrum = scratch;
    Complex<L>* passes = scratch + filter.forward.length;
    Transform<L, -1>{filter.forward}(
        [&](std::size_t i)
            __attribute__((always_inline)) { return i < pixels ? read(i) : Complex<L>{}; },
        passes,
        [&](std::size_t k, Complex<L> value) __attribute__((always_inline)) {
            spectrum[k] = {value.re * response[k], value.im * response[k]};
        });
    Transform<L, 1>{filter.backward}(
        [&](std::size_t k) __attribute__((always_inline)) { return spectrum[k]; }, passes,
        [&](std::size_t i, Complex<L> value) __attribute__((always_inline)) {
            if (i < pixels) write(i, value);
        });
}

// Projections 2 * pair and 2 * pair + 1 of the batch's lanes first_lane, first_lane + 1 …, as real
// and imaginary parts. Where the second doesn't exist, the first takes its place.
template <typename L>
void pair_into_lanes(const RampFilter& filter, const Batch& batch, unsigned first_lane,
                     std::size_t pair, Complex<L>* both) {
    for (unsigned second = 0; second < 2; ++second) {
        const std::size_t angle = 2 * pair + (2 * pair + second < filter.angles ? second : 0);
        const float* rows[L::count];
        for (unsigned lane = 0; lane < L::count; ++lane)
            rows[lane] = batch.sinogram[first_lane + lane] +
                         static_cast<std::ptrdiff_t>(angle) * batch.angle_stride;
        into_lanes<L>(rows, filter.detectors,
                      reinterpret_cast<float*>(both) + second * std::size_t{L::count},
                      2 * std::size_t{L::count});
    }
}

// The same projections filtered, times their weights. Where the second doesn't exist, zeros are
// written.
template <typename L, typename Write>
void filter_pair(const RampFilter& filter, const Batch& batch, unsigned first_lane,
                 std::size_t pair, Complex<L>* scratch, const Write& write) {
    Complex<L>* both = scratch;  // the spectrum takes its place when all was read
    pair_into_lanes<L>(filter, batch, first_lane, pair, both);
    const float first = filter.weights[2 * pair], second = filter.weights[2 * pair + 1];
    filter_rows<L>(
        filter, scratch, [=](std::size_t i) __attribute__((always_inline)) { return both[i]; },
        [&](std::size_t i, Complex<L> value) __attribute__((always_inline)) {
            write(i, Complex<L>{value.re * first, value.im * second});
        });
}

}  // namespace stend::tomo
