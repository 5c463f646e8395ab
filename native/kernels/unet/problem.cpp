// The measured network and images, and their comparison with what is known.
#include "kernels/unet/problem.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace stend::inference {
namespace {

Sums sums(std::span<const float> values) {
    Sums sums{};
    for (const double value : values) {
        sums.plain += value;
        sums.squares += value * value;
    }
    return sums;
}

}  // namespace

const Problem& problem(std::size_t side) {
    std::string sides;
    for (const Problem& each : problems()) {
        if (each.side == side) return each;
        sides += (sides.empty() ? "" : ", ") + std::to_string(each.side);
    }
    throw std::invalid_argument("There are no known answers of an image " + std::to_string(side) +
                                " pixels wide; there are of " + sides + ".");
}

unet::Model measured_model() {
    return unet::classic({.seed = 1});
}

void fill(std::size_t which, std::span<float> image) {
    std::uint64_t state = 2 + which;
    for (float& pixel : image) {
        std::uint64_t z = state += 0x9E3779B97F4A7C15U;
        z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
        z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
        z ^= z >> 31U;
        pixel = static_cast<float>(z >> 40U) * 0x1p-23F - 1;
    }
}

Errors errors(const Problem& problem, std::size_t which, std::span<const float> output) {
    const Answers& known = problem.answers[which];
    const auto larger = [](double so_far, double off) {
        return off >= 0 ? std::max(so_far, off) : std::numeric_limits<double>::infinity();
    };
    double squares = 0, known_squares = 0, largest = 0, channels = 0;
    for (std::size_t i = 0; i < points; ++i) {
        const double off = std::abs(output[problem.places[i]] - known.values[i]);
        squares += off * off;
        known_squares += known.values[i] * known.values[i];
        largest = larger(largest, off);
    }
    const std::size_t pixels = problem.side * problem.side;
    const auto count = static_cast<double>(pixels);
    for (std::size_t channel = 0; channel < outputs; ++channel) {
        const Sums is = sums(output.subspan(channel * pixels, pixels)),
                   sum = known.channels[channel];
        const double rms = std::sqrt(sum.squares / count);
        channels = larger(channels, std::abs(is.plain - sum.plain) / count / rms);
        channels = larger(channels, std::abs(std::sqrt(is.squares / count) / rms - 1));
    }
    return {larger(0, std::sqrt(squares / known_squares)), largest / known.largest, channels};
}

}  // namespace stend::inference
