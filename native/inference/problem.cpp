// The measured network and images, and their comparison with what is known.
#include "inference/problem.h"

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

double error(const Problem& problem, std::size_t which, std::span<const float> output) {
    const Answers& known = problem.answers[which];
    double largest = 0;
    const auto differ = [&](double here, double there) {
        const double off = std::abs(here - there);
        largest = off >= 0 ? std::max(largest, off) : std::numeric_limits<double>::infinity();
    };
    for (std::size_t i = 0; i < points; ++i) differ(output[problem.places[i]], known.values[i]);
    const std::size_t pixels = problem.side * problem.side;
    const auto count = static_cast<double>(pixels);
    for (std::size_t channel = 0; channel < outputs; ++channel) {
        const auto [plain, squares] = sums(output.subspan(channel * pixels, pixels));
        const Sums& sum = known.channels[channel];
        differ(plain / count, sum.plain / count);
        differ(std::sqrt(squares / count), std::sqrt(sum.squares / count));
    }
    return largest / known.largest;
}

}  // namespace stend::inference
