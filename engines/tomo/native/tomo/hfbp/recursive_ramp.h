// The ramp by recursion: its kernel as two taps and a few one-pole filters, forwards and backwards
// (Deriche 1993; fit_ramp.py), in steps of two pixels since at even distances it is zero. To be
// included after STEND_FOR, and after tomo/hfbp/ramp_taps.h.
#pragma once

#include "tomo/lanes/lanes.h"

namespace stend::tomo::hfbp {

// What a pixel gets from those on one side of it; `direction` is 1 for those before.
template <int direction, typename L>
STEND_INLINE Complex<L> one_sided(const RampTaps& taps, const Complex<L>* pixel,
                                  Complex<L> (&tail)[RampTaps::poles]) {
    const Complex<L> one = pixel[-direction], three = pixel[-3 * direction],
                     five = pixel[-5 * direction];
    Complex<L> sum{one.re * taps.one + three.re * taps.three,
                   one.im * taps.one + three.im * taps.three};
#pragma GCC unroll 8
    for (unsigned k = 0; k < RampTaps::poles; ++k) {
        tail[k].re = tail[k].re * ramp_poles[k] + five.re * ramp_amplitudes[k];
        tail[k].im = tail[k].im * ramp_poles[k] + five.im * ramp_amplitudes[k];
        sum = sum - tail[k];
    }
    return sum;
}

// Two rows through the ramp; RampTaps::reach zeros lie before `from` and after its last pixel.
template <typename L>
void ramp_by_recursion(const RampTaps& taps, const Complex<L>* from, std::size_t pixels,
                       Complex<L>* to) {
    for (const std::size_t parity : {0, 1}) {
        Complex<L> tail[RampTaps::poles] = {};
        for (std::size_t i = parity; i < pixels; i += 2) {
            const Complex<L> before = one_sided<1>(taps, from + i, tail);
            to[i] = {before.re + from[i].re * taps.middle, before.im + from[i].im * taps.middle};
        }
    }
    for (const std::size_t parity : {0, 1}) {
        Complex<L> tail[RampTaps::poles] = {};
        for (std::size_t end = pixels - parity; end > 0 && end <= pixels; end -= 2)
            to[end - 1] = to[end - 1] + one_sided<-1>(taps, from + end - 1, tail);
    }
}

}  // namespace stend::tomo::hfbp
