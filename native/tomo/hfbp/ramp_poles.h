// The ramp's kernel at the distance 5 + 2m is minus the sum of amplitude · pole^m.
// Made by fit_ramp.py, which says how.
// clang-format off
#pragma once

namespace stend::tomo::hfbp {

inline constexpr float ramp_amplitudes[] = {
    2.96015391e-07F,
    9.53939027e-06F,
    0.000157549871F,
    0.00127928789F,
    0.00259490389F,
};
inline constexpr float ramp_poles[] = {
    0.997689349F,
    0.984817612F,
    0.930636209F,
    0.755314171F,
    0.374622794F,
};

}  // namespace stend::tomo::hfbp
