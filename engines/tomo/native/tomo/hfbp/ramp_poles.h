// The ramp's kernel at the distance 5 + 2m is minus the sum of amplitude · pole^m.
// Made by fit_ramp.py, which says how.
// clang-format off
#pragma once

namespace stend::tomo::hfbp {

inline constexpr float ramp_amplitudes[] = {
    1.0984146e-06F,
    1.07568883e-05F,
    7.96235421e-08F,
    8.43584457e-05F,
    0.000498949639F,
    0.00172324714F,
    0.00173353453F,
};
inline constexpr float ramp_poles[] = {
    0.994187035F,
    0.980545534F,
    0.998702616F,
    0.941871423F,
    0.842446862F,
    0.624346218F,
    0.278922946F,
};

}  // namespace stend::tomo::hfbp
