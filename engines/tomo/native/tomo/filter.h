// The ramp filter's tables, of any lanes; filtering.h applies it.
#pragma once

#include <cstddef>
#include <vector>

#include "tomo/engine.h"
#include "tomo/fft/plan.h"

namespace stend::tomo {

struct RampFilter {
    explicit RampFilter(const Plan& plan);
    // Not in the variants' files, whose instructions it would have and leave to all others.
    ~RampFilter();

    std::size_t detectors;
    std::size_t angles;
    FftPlan forward, backward;
    std::vector<float> response;  // of the filter at every frequency, over the transform's length
    std::vector<float> weights;  // of the projections; an even number of them, a missing one's is 0

    std::size_t bytes() const;
    std::size_t pairs() const { return weights.size() / 2; }
    // Room that one call needs, in floats and in complex vectors.
    std::size_t scratch_vectors() const { return 2 * forward.length; }
    std::size_t scratch_floats(unsigned lanes) const { return 2 * lanes * scratch_vectors(); }
};

}  // namespace stend::tomo
