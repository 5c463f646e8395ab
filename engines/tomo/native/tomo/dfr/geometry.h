// The lengths that a geometry asks for: periods along the detector, on the grid, and what of the
// spectrum is wanted.
#pragma once

#include "tomo/engine.h"

namespace stend::tomo::dfr {

struct Geometry {
    explicit Geometry(const Plan& plan);

    double field;  // how far from the axis the detector sees, in detector pixels
    double half;   // half a side of the slice
    double top;    // the highest frequency wanted, cycles a detector pixel

    // Samples of a detector row's period, so that filtered projections don't wrap into the slice:
    // with the ramp's whole kernel, and with what is left of it without low frequencies.
    std::size_t long_period;
    std::size_t short_period;
    // Each how many detector pixels low frequencies are sampled, 1 when all frequencies are
    // sampled over the long period.
    std::size_t decimation;

    std::size_t grid;     // cells of the grid's side; even
    std::size_t columns;  // of the grid's right half that hold anything, from frequency 0 on
    std::size_t origin;   // the row and column of the slice that the grid's image has at 0
    double offset;        // from there to the axis, in detector pixels along x; along y -offset
};

// Taps of the low-pass before decimation are at -reach … reach.
inline constexpr std::size_t reach_of_decimation(std::size_t decimation) {
    return 3 * decimation;
}

}  // namespace stend::tomo::dfr
