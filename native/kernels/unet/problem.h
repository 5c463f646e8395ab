// What is measured, and what its result has to be: a network, two images of each side, and answers
// computed apart from the engine (engines/unet/peers/reference.py).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stend/unet/model.hpp>

namespace stend::inference {

inline constexpr std::size_t images = 2, outputs = 2, points = 128;

struct Sums {
    double plain, squares;
};

// Of one image: the output's largest magnitude, the sums of each channel, and single values.
struct Answers {
    double largest;
    std::array<Sums, outputs> channels;
    std::array<double, points> values;
};

// Of images with this side; the values' places are in [outputs][side][side].
struct Problem {
    std::size_t side;
    std::array<std::uint32_t, points> places;
    std::array<Answers, images> answers;
};

std::span<const Problem> problems();

// Throws std::invalid_argument for a side that there are no answers of, with those there are.
const Problem& problem(std::size_t side);

// The classic network from seed 1.
unet::Model measured_model();

// The numbers of unet::classic, from seed 2 for the first image, 3 for the second: -1 to 1.
void fill(std::size_t which, std::span<float> image);

// How far an output is from what is known; infinite where it is no number.
struct Errors {
    double rms = 0;       // of the differences at the places, by that of the values there
    double largest = 0;   // of them, by the output's largest magnitude
    double channels = 0;  // of means and root mean squares of channels, by their root mean squares

    // Of that of single places as much is allowed as unet::tolerance() says, of channels a fifth
    // (METHODOLOGY.md).
    bool within(double tolerance) const {
        return rms <= tolerance && largest <= tolerance && channels <= tolerance / 5;
    }
};
Errors errors(const Problem& problem, std::size_t which, std::span<const float> output);

}  // namespace stend::inference
