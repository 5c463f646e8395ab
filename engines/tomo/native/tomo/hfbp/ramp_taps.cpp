// The middle tap makes the sum of the kernel, cut to the projection's length, exactly what the
// ramp's is: a projection's mean comes out as from the filter by Fourier transforms.
#include "tomo/hfbp/ramp_taps.h"

#include <cmath>
#include <numbers>

namespace stend::tomo::hfbp {
namespace {

double ramp_at(std::size_t odd) {
    return -1 / std::pow(std::numbers::pi * static_cast<double>(odd), 2);
}

double fitted_at(std::size_t odd) {
    double sum = 0;
    for (unsigned k = 0; k < RampTaps::poles; ++k)
        sum -= ramp_amplitudes[k] *
               std::pow(ramp_poles[k], static_cast<double>((odd - RampTaps::reach) / 2));
    return sum;
}

}  // namespace

RampTaps::RampTaps(std::size_t pixels)
    : one(static_cast<float>(ramp_at(1))), three(static_cast<float>(ramp_at(3))) {
    double missing = 0;
    for (std::size_t odd = reach; odd < pixels; odd += 2) missing += ramp_at(odd) - fitted_at(odd);
    middle = static_cast<float>(0.25 + 2 * missing);
}

}  // namespace stend::tomo::hfbp
