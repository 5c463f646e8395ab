// Which frequencies of a projection are sampled, how they come from its Fourier transforms, and
// what each is multiplied with.
//
// The ramp has a corner at frequency 0, so its kernel is long and asks for twice the detector's
// length of period, that is for samples twice as dense as the object does. Away from 0 it is
// smooth. So its spectrum is split in two, H = wH + (1 - w)H, w falling smoothly from 1 at low
// frequencies to 0: the first part is sampled densely but is narrow, and comes from a transform of
// the decimated row; the second one has a short kernel and is sampled as the object asks for.
#pragma once

#include <vector>

#include "tomo/dfr/geometry.h"
#include "tomo/fft/plan.h"

namespace stend::tomo::dfr {

struct Number {
    float re, im;
};

// Samples at first / period, (first + 1) / period, … cycles a detector pixel.
struct Band {
    std::size_t period;      // detector pixels
    std::size_t decimation;  // detector pixels between elements of the row that is transformed
    std::size_t first, count;
    std::size_t offset;           // of its first sample among an angle's samples
    FftPlan fft;                  // of period / decimation elements
    std::vector<float> taps;      // of the low-pass, where decimated
    std::vector<Number> factors;  // [angle][sample]: weight × filter × phase
};

// The bands of each projection; by Plan's angles and weights.
std::vector<Band> bands_of(const Plan& plan, const Geometry& geometry);

// Samples of an angle, over all bands.
std::size_t samples_of(const std::vector<Band>& bands);

// Angles whose samples are stored conjugated, that is at the opposite frequency, to lie in the
// grid's right half.
bool is_opposite(double angle);

}  // namespace stend::tomo::dfr
