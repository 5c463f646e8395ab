// Sums of cosines, folded: a few milliseconds for the longest detectors.
#include "tomo/ramp.h"

#include <cmath>
#include <numbers>

namespace stend::tomo {

using std::numbers::pi;

double window(const Filter& filter, double frequency) {
    const double f = frequency / filter.cutoff;
    if (f > 0.5 * (1 + 1e-12)) return 0;
    const double sinc = f == 0 ? 1 : std::sin(pi * f) / (pi * f);
    switch (filter.window) {
        case Window::shepp_logan:
            return sinc;
        case Window::sinc2:
            return sinc * sinc;
        case Window::cosine:
            return std::cos(pi * f);
        case Window::hamming:
            return 0.54 + 0.46 * std::cos(2 * pi * f);
        case Window::hann:
            return 0.5 + 0.5 * std::cos(2 * pi * f);
        case Window::ram_lak:
            break;
    }
    return 1;
}

// The kernel is 1/4 in the middle and -1/(πj)² at odd j; j and length - j fall together.
std::vector<double> ramp(std::size_t length, const Filter& filter) {
    std::vector<double> cosine(length);
    for (std::size_t i = 0; i < length; ++i)
        cosine[i] = std::cos(2 * pi * static_cast<double>(i) / static_cast<double>(length));
    std::vector<double> spectrum(length / 2 + 1);
    for (std::size_t k = 0; k < spectrum.size(); ++k) {
        double sum = 0.25;
        for (std::size_t j = 1; j <= length / 2; j += 2) {
            const double odd = static_cast<double>(j);
            const double twice = 2 * j == length ? 1 : 2;
            sum -= twice / (pi * pi * odd * odd) * cosine[j * k % length];
        }
        spectrum[k] = sum * window(filter, static_cast<double>(k) / static_cast<double>(length));
    }
    return spectrum;
}

}  // namespace stend::tomo
