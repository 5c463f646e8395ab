// Spectra by a Fourier transform in double precision, once a reconstruction: 10 ms for the widest
// detectors' rows, five times that where they are four times as long.
#include "tomo/ramp.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace stend::tomo {

using std::numbers::pi;

namespace {

using Number = std::complex<double>;

// A transform split by its length's smallest factor, and so on: what is left costs the length times
// the sum of its factors.
class Splitting {
public:
    explicit Splitting(std::size_t length) : turns_(length), parts_(length) {
        for (std::size_t k = 0; k < length; ++k)
            turns_[k] =
                std::polar(1.0, -2 * pi * static_cast<double>(k) / static_cast<double>(length));
    }

    // Of from[0], from[stride], …, length numbers.
    void transform(const double* from, std::size_t stride, std::size_t length, Number* to) {
        if (length == 1) {
            *to = *from;
            return;
        }
        std::size_t factor = 2;
        while (length % factor != 0) ++factor;
        const std::size_t part = length / factor;
        for (std::size_t p = 0; p < factor; ++p)
            transform(from + p * stride, stride * factor, part, to + p * part);
        for (std::size_t k = 0; k < part; ++k) {
            for (std::size_t p = 0; p < factor; ++p) parts_[p] = to[p * part + k];
            for (std::size_t i = k; i < length; i += part) {
                to[i] = parts_[0];
                for (std::size_t p = 1; p < factor; ++p)
                    to[i] += parts_[p] * turns_[p * i % length * stride];
            }
        }
    }

private:
    std::vector<Number> turns_;  // exp(-2πik / length)
    std::vector<Number> parts_;  // of one frequency
};

// The first `count` numbers of the spectrum of what is real and even, which is real.
std::vector<double> spectrum_of(const std::vector<double>& even, std::size_t count) {
    std::vector<Number> all(even.size());
    Splitting(even.size()).transform(even.data(), 1, even.size(), all.data());
    std::vector<double> spectrum(count);
    for (std::size_t k = 0; k < count; ++k) spectrum[k] = all[k].real();
    return spectrum;
}

}  // namespace

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
    std::vector<double> kernel(length);
    kernel[0] = 0.25;
    for (std::size_t j = 1; j <= length / 2; j += 2) {
        const double odd = static_cast<double>(j);
        kernel[j] = kernel[length - j] = -1 / (pi * pi * odd * odd);
    }
    std::vector<double> spectrum = spectrum_of(kernel, length / 2 + 1);
    for (std::size_t k = 0; k < spectrum.size(); ++k)
        spectrum[k] *= window(filter, static_cast<double>(k) / static_cast<double>(length));
    return spectrum;
}

std::vector<double> impulse_response(const Filter& filter, std::size_t count) {
    const std::size_t length = 4 * count;
    const std::vector<double> half = ramp(length, filter);
    std::vector<double> spectrum(length);
    for (std::size_t k = 0; k < length; ++k)
        spectrum[k] = half[std::min(k, length - k)] / static_cast<double>(length);
    return spectrum_of(spectrum, count);
}

}  // namespace stend::tomo
