// What is measured, and what its result has to be: a network, an image of each side, and answers
// computed apart from the engine (peers/unet/reference.py).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stend/unet/model.hpp>

namespace stend::inference {

inline constexpr std::size_t outputs = 2, points = 256;

struct Sums {
    double plain, squares;
};

// Of one image with this side: the output's largest magnitude, the sums of each channel, and
// single values by their places in [outputs][side][side].
struct Problem {
    std::size_t side;
    double largest;
    std::array<Sums, outputs> channels;
    std::array<std::uint32_t, points> places;
    std::array<double, points> values;
};

std::span<const Problem> problems();

// Throws std::invalid_argument for a side that there are no answers of, with those there are.
const Problem& problem(std::size_t side);

// The classic network from seed 1.
unet::Model measured_model();

// The numbers of unet::classic, from seed 2: -1 to 1.
void fill(std::span<float> image);

// The largest difference from an answer, by the output's largest magnitude: at the places, and of
// each channel's mean and root mean square. Infinite where the output is no number. Allowed is
// unet::tolerance().
double error(const Problem& problem, std::span<const float> output);

}  // namespace stend::inference
