// The taps of the ramp by recursion, for projections of a given length; recursive_ramp.h applies
// them.
#pragma once

#include <cstddef>
#include <iterator>

#include "tomo/hfbp/ramp_poles.h"

namespace stend::tomo::hfbp {

struct RampTaps {
    explicit RampTaps(std::size_t pixels);

    float middle, one, three;  // of the kernel at these distances

    static constexpr unsigned poles = std::size(ramp_poles);
    // Zeros before a row and after it, as far as the kernel's first recursive term reaches.
    static constexpr unsigned reach = 5;
};

}  // namespace stend::tomo::hfbp
