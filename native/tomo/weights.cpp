// Voronoi cells on the half circle.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <stend/tomo/parallel.hpp>

namespace stend::tomo {
namespace {

using std::numbers::pi;

// Directions nearer than this are one direction: angles come from degrees in single precision.
constexpr double same = 1e-5;

double direction(double angle) {
    const double folded = std::fmod(std::fmod(angle, pi) + pi, pi);
    return folded > pi - same ? folded - pi : folded;
}

}  // namespace

std::vector<double> angle_weights(std::span<const double> angles, double /*taper*/) {
    std::vector<double> directions(angles.size());
    for (std::size_t i = 0; i < angles.size(); ++i) {
        if (!std::isfinite(angles[i]))
            throw std::invalid_argument("Angle " + std::to_string(i) + " is not a finite number.");
        directions[i] = direction(angles[i]);
    }
    std::vector<std::size_t> order(angles.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return directions[i]; });

    std::vector<std::size_t> begin;  // where in `order` each new direction begins
    for (std::size_t i = 0; i < order.size(); ++i)
        if (begin.empty() || directions[order[i]] - directions[order[begin.back()]] > same)
            begin.push_back(i);
    const std::size_t count = begin.size();
    begin.push_back(order.size());

    const auto at = [&](std::size_t group) { return directions[order[begin[group]]]; };
    std::vector<double> weights(angles.size());
    for (std::size_t group = 0; group < count; ++group) {
        const double before = group > 0 ? at(group - 1) : at(count - 1) - pi;
        const double after = group + 1 < count ? at(group + 1) : at(0) + pi;
        const std::size_t sharing = begin[group + 1] - begin[group];
        for (std::size_t i = begin[group]; i < begin[group + 1]; ++i)
            weights[order[i]] = (after - before) / 2 / static_cast<double>(sharing);
    }
    return weights;
}

}  // namespace stend::tomo
