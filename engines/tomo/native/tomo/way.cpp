// Angles brought into one turn, sorted, and rotated until the largest gap lies behind them.
#include "tomo/way.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace stend::tomo {
namespace {

using std::numbers::pi;

constexpr double same = 1e-5;
// A turn of which some projections are missing, or whose angles are uneven, is a whole one all the
// same: a gap as wide as this takes far less away than weights of a short scan would get wrong.
constexpr double least_gap = pi / 36, gap_steps = 3;

std::vector<double> in_one_turn(std::span<const double> angles) {
    std::vector<double> turned(angles.size());
    std::ranges::transform(angles, turned.begin(), [](double angle) {
        const double rest = std::fmod(angle, 2 * pi);
        const double positive = rest < 0 ? rest + 2 * pi : rest;
        return positive > 2 * pi - same ? positive - 2 * pi : positive;
    });
    return turned;
}

// Where the largest gap between growing angles ends; the first of those that are alike.
std::size_t after_the_gap(const std::vector<double>& angles) {
    double largest = angles.front() + 2 * pi - angles.back();
    std::size_t begin = 0;
    for (std::size_t i = 1; i < angles.size(); ++i)
        if (angles[i] - angles[i - 1] > largest + same) {
            largest = angles[i] - angles[i - 1];
            begin = i;
        }
    return begin;
}

}  // namespace

double Way::step() const {
    return angles.size() == 1
               ? 0
               : (angles.back() - angles.front()) / static_cast<double>(angles.size() - 1);
}

std::vector<double> Way::parts() const {
    const std::size_t count = angles.size();
    const double end = whole ? angles.front() + 2 * pi - angles.back() : step();
    std::vector<double> cells(count);
    for (std::size_t i = 0; i < count; ++i) {
        const double before = i > 0 ? angles[i] - angles[i - 1] : end;
        const double after = i + 1 < count ? angles[i + 1] - angles[i] : end;
        cells[i] = (before + after) / 2;
    }
    std::vector<double> sharing(count), all;
    for (const std::size_t at : place) ++sharing[at];
    for (const std::size_t at : place) all.push_back(cells[at] / sharing[at]);
    return all;
}

Way way_of(std::span<const double> given) {
    const std::vector<double> turned = in_one_turn(given);
    std::vector<std::size_t> order(turned.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return turned[i]; });

    Way way{{}, std::vector<std::size_t>(turned.size()), false};
    for (const std::size_t i : order) {
        if (way.angles.empty() || turned[i] - way.angles.back() >= same)
            way.angles.push_back(turned[i]);
        way.place[i] = way.angles.size() - 1;
    }
    const std::size_t count = way.angles.size(), begin = after_the_gap(way.angles);
    for (std::size_t i = 0; i < begin; ++i) way.angles[i] += 2 * pi;
    std::ranges::rotate(way.angles, way.angles.begin() + static_cast<std::ptrdiff_t>(begin));
    for (std::size_t& place : way.place) place = (place + count - begin) % count;
    way.whole = way.angles.front() + 2 * pi - way.angles.back() <
                std::max(gap_steps * way.step(), least_gap);
    return way;
}

}  // namespace stend::tomo
