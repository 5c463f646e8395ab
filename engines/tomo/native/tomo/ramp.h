// The ramp filter as people apply it to sampled projections: the spectrum of the band-limited
// kernel cut off at a length (Kak and Slaney 1988, 3.3.3, equation 61), times a window. The cut
// kernel has a small value at zero frequency where |f| has none, which is what keeps the mean
// right.
#pragma once

#include <cstddef>
#include <stend/tomo/parallel.hpp>
#include <vector>

namespace stend::tomo {

// The window at f cycles a detector pixel, 0 ≤ f ≤ 0.5.
double window(const Filter& filter, double frequency);

// The spectrum at k / length cycles a pixel, k = 0 … length / 2, of the ramp's kernel cut to
// `length` samples, times the window. `length` is even; at least 2 × detectors - 1 for projections
// that don't wrap around.
std::vector<double> ramp(std::size_t length, const Filter& filter);

// The filter's kernel at distances of 0 … count - 1 pixels, from its spectrum at 4 × count samples:
// what references convolve projections with.
std::vector<double> impulse_response(const Filter& filter, std::size_t count);

}  // namespace stend::tomo
