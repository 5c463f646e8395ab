// Tables of weights, and the int16 path's scales. A slice's samples are its filtered projections
// times a scale of the slice's own, from its own data, so that it doesn't depend on what lies in
// the other lanes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stend::tomo::fbp {

// Of a position's fraction, the bits that a weight is chosen by.
inline constexpr unsigned int16_weight_bits = 10;

// What positions of each weight are past a sample.
std::vector<float> fractions(unsigned weight_bits);

inline constexpr float most_int16 = 32767;

// What the two weights of an interpolation add up to, for that many angles.
std::int32_t unit(std::size_t angles);

// For each fraction of a sample: the pair (unit - w, w), 16 bits each.
std::vector<std::int32_t> weight_pairs(std::int32_t unit);

// From the largest magnitude of a sample at each angle and lane, [angle][lane]: what turns samples
// into integers, and sums into attenuation: NaN for a lane that has samples not finite.
void choose_scales(const float* peaks, std::size_t angles, std::size_t lanes, std::int32_t unit,
                   float* up, float* down) noexcept;

}  // namespace stend::tomo::fbp
