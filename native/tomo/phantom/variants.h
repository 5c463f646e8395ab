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

struct Variant {
    std::string_view name;
    isa::Features needs;

    // Add the chords, at pixels' middles or averaged over their widths, to a row of `columns`.
    // `scratch` is for columns + 1 numbers.
    void (*points)(const Chords& chords, double* row, std::size_t columns);
    void (*widths)(const Chords& chords, double* row, std::size_t columns, double* scratch);
};

std::span<const Variant> variants();  // slowest first
extern const Variant portable, avx2;

}  // namespace stend::tomo::chords
