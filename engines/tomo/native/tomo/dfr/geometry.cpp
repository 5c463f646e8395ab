// Smooth lengths, each from what must not wrap into what.
#include "tomo/dfr/geometry.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "tomo/dfr/kernel.h"
#include "tomo/fft/plan.h"

namespace stend::tomo::dfr {
namespace {

// Of the grid over the slice. From 1.17 to 1.36 the error is the same to three digits (measured).
constexpr double oversampling = 1.17;

// Below 192 detector pixels the low-frequency patch costs what it saves.
std::size_t decimation_of(std::size_t detectors) {
    const std::size_t power = std::bit_floor(std::max<std::size_t>(1, detectors / 48));
    return power >= 4 ? power : 1;
}

std::size_t at_least(double length) {
    return static_cast<std::size_t>(std::ceil(length));
}

}  // namespace

Geometry::Geometry(const Plan& plan)
    : field(std::max(plan.center + 0.5, static_cast<double>(plan.detectors) - 0.5 - plan.center)),
      half(static_cast<double>(plan.size) * plan.pixel / 2),
      top(0.5 * std::min({1.0, plan.filter.cutoff, 1 / plan.pixel})),
      decimation(decimation_of(plan.detectors)),
      origin((plan.size - 1) / 2),
      offset(plan.size % 2 == 0 ? plan.pixel / 2 : 0) {
    const double d = static_cast<double>(plan.detectors), n = static_cast<double>(plan.size);
    // The ramp's kernel is cut at half the period: it must reach from any detector pixel to any
    // place within the slice's circle. The high part's is short: it's enough that a projection's
    // repetition begins beyond the slice's corners.
    const double whole = std::max(d, 2 * (field + half));
    short_period = smooth_length(at_least(std::max(d, field + half * std::numbers::sqrt2)));
    if (static_cast<double>(short_period) > 0.8 * whole) decimation = 1;
    long_period = decimation * smooth_length(at_least(whole / static_cast<double>(decimation)));
    // The image repeats, too: an object that fills the field of view must not reach into the
    // slice's next copy.
    const double repeated = (field + half) / plan.pixel;
    grid = smooth_length(at_least(std::max({oversampling * n, repeated, 4.0 * kernel_width})));
    const double highest = top * static_cast<double>(grid) * plan.pixel;
    columns = std::min(grid / 2, at_least(highest) + kernel_width / 2) + 1;
}

}  // namespace stend::tomo::dfr
