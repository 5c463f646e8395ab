// The loops of variants.h, for whatever STEND_FOR is in force where this is included; Which is a
// tag of the variant's own.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "isa/target.h"
#include "tomo/phantom/variants.h"

namespace stend::tomo::chords {

// Pixels i with lowest ≤ i ≤ highest of a row.
template <typename Which>
STEND_INLINE std::pair<std::size_t, std::size_t> pixels(double lowest, double highest,
                                                        std::size_t columns) {
    const double end = static_cast<double>(columns);
    const auto first = static_cast<std::size_t>(std::clamp(std::ceil(lowest), 0.0, end));
    const auto last = static_cast<std::size_t>(std::clamp(std::floor(highest) + 1, 0.0, end));
    return {first, std::max(first, last)};
}

template <typename Which>
void points(const Chords& chords, double* row, std::size_t columns) {
    const auto [first, last] =
        pixels<Which>(chords.middle - chords.half, chords.middle + chords.half, columns);
    const double square = chords.half * chords.half;
    const int count = static_cast<int>(last - first);  // SSE2 converts no longer integers
    const double start = static_cast<double>(first) - chords.middle;
    double* to = row + first;
    for (int i = 0; i < count; ++i) {
        const double u = start + i;
        const double left = square - u * u;
        to[i] += chords.amplitude * __builtin_sqrt(left > 0 ? left : 0);
    }
}

// t √(1 - t²) + arcsin t, twice the area between a unit circle's diameter and its chords from 0 to
// t in [-1, 1]. With w = 1 - |t| it is ±(π/2 - w^(3/2) P(w)); P is numpy.polynomial's
// Chebyshev.interpolate of degree 11 over [0, 1], and right to 2e-12.
template <typename Which>
STEND_INLINE double area(double t) {
    constexpr double p[] = {
        1.885618083165041,      -0.2828427127382501,     -0.02525380112921732,
        -0.004910693681337009,  -0.0012533455090381433,  -0.0003838075421261538,
        -7.941345552353596e-05, -0.00013466757354763112, 0.00012003874735455618,
        -0.0001308381712685029, 6.56181558345755e-05,    -1.8133471409479778e-05};
    const double distance = __builtin_fabs(t);
    const double w = 1 - (distance < 1 ? distance : 1);
    double sum = p[11];
    for (int k = 10; k >= 0; --k) sum = sum * w + p[k];
    return __builtin_copysign(std::numbers::pi / 2 - w * __builtin_sqrt(w) * sum, t);
}

template <typename Which>
void widths(const Chords& chords, double* row, std::size_t columns, double* scratch) {
    const auto [first, last] = pixels<Which>(chords.middle - chords.half - 0.5,
                                             chords.middle + chords.half + 0.5, columns);
    const int count = static_cast<int>(last - first);
    if (count == 0) return;
    const double start = (static_cast<double>(first) - 0.5 - chords.middle) / chords.half;
    const double step = 1 / chords.half;
    for (int i = 0; i <= count; ++i) scratch[i] = area<Which>(start + step * i);
    const double scale = chords.amplitude * chords.half * chords.half / 2;
    double* to = row + first;
    for (int i = 0; i < count; ++i) to[i] += scale * (scratch[i + 1] - scratch[i]);
}

template <typename Which>
STEND_INLINE double at(const Form& form, double x, double y) {
    return (form.xx * x + form.xy * y + form.x) * x + (form.yy * y + form.y) * y + form.one;
}

template <typename Which>
void rays(const Rays& rays, double* row) {
    // Copies: what is behind a reference could change with the row, for all the compiler knows.
    const Form reach = rays.reach, steep = rays.steep;
    const double value = rays.value;
    const auto count = static_cast<std::ptrdiff_t>(rays.last - rays.first);
    const double* __restrict x = rays.x + rays.first;
    const double* __restrict y = rays.y + rays.first;
    const double* __restrict length = rays.length + rays.first;
    double* __restrict to = row + rays.first;
    for (std::ptrdiff_t i = 0; i < count; ++i) {
        const double left = at<Which>(reach, x[i], y[i]);
        to[i] +=
            value * __builtin_sqrt(left > 0 ? left : 0) / at<Which>(steep, x[i], y[i]) * length[i];
    }
}

template <typename Which>
constexpr Variant variant(std::string_view name, isa::Features needs) {
    return {name, needs, points<Which>, widths<Which>, rays<Which>};
}

}  // namespace stend::tomo::chords
