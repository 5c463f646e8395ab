// The loops over a detector row, compiled for each instruction set.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "isa/isa.h"

namespace stend::tomo::chords {

// Chords of an ellipse by parallel rays: at u detector pixels from `middle`,
//     amplitude · √(half² - u²)
// and nothing beyond `half`.
struct Chords {
    double amplitude;
    double middle, half;  // detector pixels
};

// A quadratic form in (x, y, 1).
struct Form {
    double xx, xy, yy, x, y, one;
};

// Chords of an ellipsoid by the rays in the directions x[i], y[i], whose lengths are length[i]:
//     value · √reach(x, y) / steep(x, y) · length
// where reach is above 0; pixels first … last - 1 of a row.
struct Rays {
    double value;
    Form reach, steep;
    const double *x, *y, *length;
    std::size_t first, last;
};

struct Variant {
    std::string_view name;
    isa::Features needs;

    // Add the chords, at pixels' middles or averaged over their widths, to a row of `columns`.
    // `scratch` is for columns + 1 numbers.
    void (*points)(const Chords& chords, double* row, std::size_t columns);
    void (*widths)(const Chords& chords, double* row, std::size_t columns, double* scratch);
    void (*rays)(const Rays& rays, double* row);
};

std::span<const Variant> variants();  // slowest first
extern const Variant portable, avx2;

}  // namespace stend::tomo::chords
