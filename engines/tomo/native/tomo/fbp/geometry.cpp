// Positions in double precision, once a tile and angle.
#include "tomo/fbp/geometry.h"

#include <algorithm>
#include <cmath>

#include "tomo/bytes.h"

namespace stend::tomo::fbp {
namespace {

constexpr double one = 1U << fraction_bits;
// Samples that a tile may span at most, or margins would be longer than projections are.
constexpr double most_reach = 2000;

double reach(const Plan& plan) {
    return plan.pixel * std::hypot(tile_width, tile_height);
}

}  // namespace

Geometry::Geometry(const Plan& plan, unsigned weight_bits)
    : detectors_(plan.detectors),
      size_(plan.size),
      center_(plan.center),
      middle_((static_cast<double>(plan.size) - 1) / 2),
      half_step_(std::ldexp(0.5, -static_cast<int>(weight_bits))),
      outside_(reach(plan) > most_reach),
      margin_(outside_ ? 2 : static_cast<std::size_t>(2 * reach(plan)) + 4),
      samples_((plan.detectors + 2 * margin_) | 1U) {
    directions_.reserve(plan.angles.size());
    for (const double angle : plan.angles)
        directions_.push_back({plan.pixel * std::cos(angle), -plan.pixel * std::sin(angle)});
}

Geometry::~Geometry() = default;

std::size_t Geometry::bytes() const {
    return bytes_of(directions_);
}

bool Geometry::rays(std::size_t angle, std::size_t row, std::size_t column, Rays& rays) const {
    const auto [across, down] = directions_[angle];
    const double first = (static_cast<double>(column) - middle_) * across +
                         (static_cast<double>(row) - middle_) * down + center_;
    const double right = across * static_cast<double>(tile_width - 1);
    const double below = down * static_cast<double>(tile_height - 1);
    const double lowest = first + std::min(right, 0.0) + std::min(below, 0.0);
    const double highest = first + std::max(right, 0.0) + std::max(below, 0.0);
    if (highest <= -1 || lowest >= static_cast<double>(detectors_)) return false;
    // From a sample at or before the lowest, with room for rounding.
    const double from = outside_ ? -2 : std::floor(lowest) - 1;
    rays.first_sample = static_cast<std::size_t>(from + static_cast<double>(margin_));
    rays.at = std::llround((first - from + half_step_) * one);
    rays.across = std::llround(across * one);
    rays.down = std::llround(down * one);
    return true;
}

}  // namespace stend::tomo::fbp
