// How the source of a diverging beam goes around: its angles in the order of the circle.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace stend::tomo {

// Angles count modulo 2π; those nearer than 1e-5 are one, for they come from degrees in single
// precision.
struct Way {
    std::vector<double> angles;      // the different ones, growing from where the largest gap ends
    std::vector<std::size_t> place;  // of each projection's angle among them
    bool whole;                      // a whole turn: the gap is less than three steps, or 5°

    // From angle to angle, on the average.
    double step() const;
    // From half a step before the first to half a step after the last.
    double range() const { return angles.back() - angles.front() + step(); }
    // Each projection's part of the way: what is nearer to its angle than to any other, half a step
    // beyond the ends; projections of the same angle share.
    std::vector<double> parts() const;
};

Way way_of(std::span<const double> angles);

}  // namespace stend::tomo
