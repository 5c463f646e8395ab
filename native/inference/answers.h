// What the classic network's output has to be, computed apart from the engine.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace stend::inference {

inline constexpr std::size_t outputs = 2, points = 256;

struct Sums {
    double plain, squares;
};

// Of one image with this side: the output's largest magnitude, the sums of each channel, and
// single values by their places in [outputs][side][side].
struct Answers {
    std::size_t side;
    double largest;
    std::array<Sums, outputs> channels;
    std::array<std::uint32_t, points> places;
    std::array<double, points> values;
};

std::span<const Answers> answers();

}  // namespace stend::inference
