// What every geometry and method is checked for, with one sentence where it makes no sense. What
// passes overflows nothing that is computed from it, and takes no longer than its memory tells.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <numbers>
#include <span>
#include <stdexcept>
#include <stend/tomo/parallel.hpp>
#include <string>

namespace stend::tomo {

// Indices of detector pixels and of grid cells are 32-bit numbers.
inline constexpr std::size_t most_pixels = 1U << 15U;

// Of a slice's side, in detector pixels: four of the widest detectors. Positions to 2^-32 of a
// pixel are 64-bit numbers (hfbp/layout.h).
inline constexpr double most_side = 1U << 17U;

// Of a slice's pixel, in detector pixels: a finer one tells nothing, and the cells of a grid over
// the whole field of view (dfr/geometry.cpp) are still counted in 32 bits a side.
inline constexpr double least_pixel = 1.0 / 1024;

// Of lengths in a unit of the user's own: a product of some is still a double.
inline constexpr double least_number = 1e-30, most_number = 1e30;

// More than any machine has; -1 made unsigned is above it.
inline constexpr unsigned most_threads = 1U << 14U;

[[noreturn]] inline void refuse(const std::string& sentence) {
    throw std::invalid_argument(sentence);
}

inline void check_count(const char* what, std::size_t value) {
    if (value == 0 || value > most_pixels)
        refuse(std::string(what) + " is " + std::to_string(value) + "; it must be 1 to " +
               std::to_string(most_pixels) + ".");
}

// For sentences: six digits, and an exponent where there is no room for all.
inline std::string in_words(double number) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", number);
    return text;
}

inline void check_positive(const char* what, double value) {
    if (!(value > 0))
        refuse(std::string(what) + " is " + in_words(value) + "; it must be above 0.");
    if (!(value >= least_number && value <= most_number))
        refuse(std::string(what) + " is " + in_words(value) + "; it must be " +
               in_words(least_number) + " to " + in_words(most_number) + ".");
}

inline void check_threads(unsigned threads) {
    if (threads == 0) refuse("The number of threads is 0; it must be at least 1.");
    if (threads > most_threads)
        refuse("The number of threads is " + std::to_string(threads) + "; it must be at most " +
               std::to_string(most_threads) + ".");
}

// Where something projects to, on a detector of `pixels` pixels: at most its own width away.
inline void check_center(const char* what, double center, std::size_t pixels) {
    const double width = static_cast<double>(pixels);
    if (!(center > -width && center < 2 * width))
        refuse(std::string(what) + " projects to detector pixel " + in_words(center) +
               ", more than a detector's width away from its " + std::to_string(pixels) +
               " pixels.");
}

// An arc of pixels around the source, `radius` pixels from it: every ray goes towards the axis,
// none at a right angle to the one through it.
inline void check_arc(double center, std::size_t pixels, double radius) {
    const double before = (center + 0.5) / radius;
    const double after = (static_cast<double>(pixels) - 0.5 - center) / radius;
    constexpr double degrees = 180 / std::numbers::pi;
    if (std::max(before, after) >= std::numbers::pi / 2)
        refuse("The curved detector reaches from " + std::to_string(-before * degrees) + " to " +
               std::to_string(after * degrees) +
               " degrees of the ray through the axis; it must be less than 90 on either side.");
}

inline void check_filter(const Filter& filter) {
    if (!(filter.cutoff > 0))
        refuse("The filter's cutoff is " + in_words(filter.cutoff) + "; it must be above 0.");
    if (!(filter.cutoff <= 1))
        refuse("The filter's cutoff is " + in_words(filter.cutoff) +
               "; it must be at most 1, the whole band.");
}

inline void check_angles(std::span<const double> angles) {
    if (angles.empty()) refuse("There are no angles.");
    for (std::size_t i = 0; i < angles.size(); ++i)
        if (!std::isfinite(angles[i]))
            refuse("Angle " + std::to_string(i) + " is not a finite number.");
}

inline void check_grid(const SliceGrid& grid) {
    check_count("The size of a slice", grid.size);
    check_positive("The side of a slice's pixel", grid.pixel);
    const double most = most_side / static_cast<double>(grid.size);
    if (!(grid.pixel >= least_pixel && grid.pixel <= most))
        refuse("The side of a slice's pixel is " + in_words(grid.pixel) +
               " detector pixels; in a slice of " + std::to_string(grid.size) + " it must be " +
               in_words(least_pixel) + " to " + in_words(most) + ".");
}

// A beam, but for its angles; returns where the axis projects to.
inline double checked_center(const ParallelBeam& beam) {
    check_count("The number of detector pixels", beam.detectors);
    const double center = beam.center.value_or((static_cast<double>(beam.detectors) - 1) / 2);
    check_center("The axis", center, beam.detectors);
    return center;
}

}  // namespace stend::tomo
