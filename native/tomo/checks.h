// What every geometry is checked for, with one sentence where it makes no sense.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <stdexcept>
#include <string>

namespace stend::tomo {

// Indices of detector pixels and of grid cells are 32-bit numbers.
inline constexpr std::size_t most_pixels = 1U << 15U;

[[noreturn]] inline void refuse(const std::string& sentence) {
    throw std::invalid_argument(sentence);
}

inline void check_count(const char* what, std::size_t value) {
    if (value == 0 || value > most_pixels)
        refuse(std::string(what) + " is " + std::to_string(value) + "; it must be 1 to " +
               std::to_string(most_pixels) + ".");
}

inline void check_positive(const char* what, double value) {
    if (!(value > 0) || !std::isfinite(value))
        refuse(std::string(what) + " is " + std::to_string(value) + "; it must be above 0.");
}

inline void check_threads(unsigned threads) {
    if (threads == 0) refuse("The number of threads is 0; it must be at least 1.");
}

// Where something projects to, on a detector of `pixels` pixels: at most its own width away.
inline void check_center(const char* what, double center, std::size_t pixels) {
    const double width = static_cast<double>(pixels);
    if (!(center > -width && center < 2 * width))
        refuse(std::string(what) + " projects to detector pixel " + std::to_string(center) +
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

}  // namespace stend::tomo
