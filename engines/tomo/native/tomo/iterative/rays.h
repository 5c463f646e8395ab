// Where each pixel's shadow falls. Joseph's weights have one form for both directions: pixel j
// meets the ray to detector pixel i with
//     a_ij = p² / h² · max(0, h - |i - s_j|),   h = p · max(|cos θ|, |sin θ|),
// s_j where the pixel's centre projects to and p its side: linear interpolation between neighbours
// h apart on the detector, along rows for steep rays and columns for the others, times the
// length p² / h of the ray in a row or column.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "isa/target.h"

namespace stend::tomo::iterative {

// Lengths in detector pixels.
struct Rays {
    struct Angle {
        double origin;        // s of the pixel in row 0, column 0
        double along_row;     // how s grows from column to column
        double along_column;  // and from row to row
        bool steep;           // rays cross every row: |cos θ| ≥ |sin θ|

        double half_width() const { return std::abs(steep ? along_row : along_column); }
    };

    std::size_t detectors;
    std::size_t size;
    double pixel;
    std::vector<Angle> angles;
};

// Positions are 64-bit integers in units of 2⁻³²: exact sums, and floor is a shift.
using Fixed = std::int64_t;
inline constexpr double fixed_one = 4294967296.0;

STEND_INLINE Fixed fixed(double x) {
    return static_cast<Fixed>(std::floor(x * fixed_one + 0.5));
}

STEND_INLINE std::int32_t whole(Fixed x) {
    return static_cast<std::int32_t>(x >> 32);
}

// The fraction, to the 24 bits that a float holds.
STEND_INLINE float fraction(Fixed x) {
    return static_cast<float>(static_cast<std::int32_t>(static_cast<std::uint32_t>(x) >> 8U)) *
           (1.0F / 16777216.0F);
}

}  // namespace stend::tomo::iterative
