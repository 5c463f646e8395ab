// Filtered back projection of a disc, whose projections are known, is the disc.
#include <cmath>
#include <numbers>
#include <numeric>
#include <stend/tomo.hpp>
#include <tuple>

#include "check.h"

using namespace stend::tomo;
using std::numbers::pi;

namespace {

// A disc of attenuation 1 in detector pixels from the axis; its line integrals are its chords.
struct Disc {
    double x, y, radius;

    double chord(double angle, double s) const {
        const double d = s - x * std::cos(angle) - y * std::sin(angle);
        return d * d < radius * radius ? 2 * std::sqrt(radius * radius - d * d) : 0;
    }
};

constexpr Disc disc{5, -3, 9};

std::vector<float> sinogram(const ParallelBeam& beam, double center) {
    std::vector<float> rows;
    for (const double angle : beam.angles)
        for (std::size_t i = 0; i < beam.detectors; ++i)
            rows.push_back(static_cast<float>(disc.chord(angle, static_cast<double>(i) - center)));
    return rows;
}

std::vector<double> half_turn(std::size_t count, double range = pi) {
    std::vector<double> angles(count);
    for (std::size_t i = 0; i < count; ++i)
        angles[i] = range * static_cast<double>(i) / static_cast<double>(count);
    return angles;
}

void the_disc_comes_back(ParallelBeam beam, SliceGrid grid, const Method& method) {
    const double center = beam.center.value_or((static_cast<double>(beam.detectors) - 1) / 2);
    const std::vector<float> rows = sinogram(beam, center);
    std::vector<float> slice(grid.size * grid.size);
    Reconstruction reconstruction(beam, grid, method);
    reconstruction.run({rows.data(), 0, static_cast<std::ptrdiff_t>(beam.detectors)}, 1,
                       {slice.data(), 0, static_cast<std::ptrdiff_t>(grid.size)});
    const double middle = (static_cast<double>(grid.size) - 1) / 2;
    for (std::size_t row = 0; row < grid.size; ++row)
        for (std::size_t column = 0; column < grid.size; ++column) {
            const double x = (static_cast<double>(column) - middle) * grid.pixel;
            const double y = (middle - static_cast<double>(row)) * grid.pixel;
            const double from_middle = std::hypot(x - disc.x, y - disc.y);
            if (std::hypot(x, y) > 25 || std::abs(from_middle - disc.radius) < 3) continue;
            const double expected = from_middle < disc.radius ? 1 : 0;
            CHECK(std::abs(slice[row * grid.size + column] - expected) < 0.04);
        }
}

void weights_are_shares_of_the_half_circle() {
    const std::vector<double> once = angle_weights(half_turn(10));
    for (const double weight : once) CHECK(std::abs(weight - pi / 10) < 1e-12);
    // 270°: the first half of the directions was seen twice.
    const std::vector<double> more = angle_weights(half_turn(15, 1.5 * pi));
    for (std::size_t i = 0; i < 15; ++i)
        CHECK(std::abs(more[i] - (i >= 5 && i < 10 ? 1.0 : 0.5) * pi / 10) < 1e-12);
    CHECK(std::abs(angle_weights(std::vector{1.0})[0] - pi) < 1e-12);
}

// 90 views: over 140° a wedge of 40° is missing, of which 5° count; 30 views lie further apart.
void a_missing_wedge_is_nobodys_share() {
    for (const auto& [count, step, wedge] :
         {std::tuple{90, 1.5, 5.0}, std::tuple{24, 6.0, 1.001 * std::numbers::phi * 6}}) {
        std::vector<double> angles(count);
        for (int i = 0; i < count; ++i) angles[i] = (i * step + 20) * pi / 180;
        const std::vector<double> weights = angle_weights(angles);
        for (int i = 1; i + 1 < count; ++i) CHECK(std::abs(weights[i] - step * pi / 180) < 1e-12);
        CHECK(std::abs(weights.front() - (step + wedge) / 2 * pi / 180) < 1e-12);
        CHECK(std::abs(weights.back() - weights.front()) < 1e-12);
    }
}

// Half of the half circle every 0.5°, the other every 4°: no wedge.
void coarse_views_keep_their_cells() {
    std::vector<double> angles;
    for (int i = 0; i < 180; ++i) angles.push_back(i * 0.5 * pi / 180);
    for (int i = 0; i < 22; ++i) angles.push_back((90 + 4 * i) * pi / 180);
    const std::vector<double> weights = angle_weights(angles);
    CHECK(std::abs(weights[190] - 4 * pi / 180) < 1e-12);
    CHECK(std::abs(std::accumulate(weights.begin(), weights.end(), 0.0) - pi) < 0.02);
}

double sum(const std::vector<double>& weights) {
    return std::accumulate(weights.begin(), weights.end(), 0.0);
}

void ends_fade_into_the_opposite_side() {
    const std::size_t count = 420, opposite = 360;  // 0.5° steps over 210°
    const std::vector<double> angles = half_turn(count, 210 * pi / 180);
    const std::vector<double> plain = angle_weights(angles);
    CHECK(angle_weights(angles, 0) == plain);
    for (const double taper : {0.05, 0.2, 1.0}) {
        const std::vector<double> weights = angle_weights(angles, taper);
        CHECK(std::abs(sum(weights) - pi) < 1e-12);
        CHECK(weights.front() == 0 && std::abs(weights.back()) < 1e-12);
        for (std::size_t i = 0; i + opposite < count; ++i) {
            CHECK(std::abs(weights[i] + weights[i + opposite] - pi / 360) < 1e-12);
            CHECK(i == 0 || weights[i] >= weights[i - 1] - 1e-15);  // no step but upwards
        }
        for (std::size_t i = count - opposite; i < opposite; ++i)
            CHECK(std::abs(weights[i] - plain[i]) < 1e-12);
    }
    // All of what is beyond half a turn: Parker's sin².
    const std::vector<double> parker = angle_weights(angles, 1);
    for (std::size_t i = 0; i < 60; ++i) {
        const double sine = std::sin(pi / 2 * static_cast<double>(i) / 59);
        CHECK(std::abs(parker[i] - pi / 360 * sine * sine) < 1e-9);
    }
}

// The second half turn between the directions of the first, and every angle out of order.
void ends_fade_between_directions_too() {
    std::vector<double> angles;
    for (std::size_t i = 0; i < 200; ++i)
        angles.push_back(pi / 150.5 * static_cast<double>(i * 77 % 200) - 1);
    const std::vector<double> plain = angle_weights(angles), weights = angle_weights(angles, 0.4);
    CHECK(std::abs(sum(weights) - pi) < 1e-12);
    const std::size_t first = 0, fourth = 4 * 13 % 200;  // 77 * 13 = 1 modulo 200
    CHECK(weights[first] < 0.02 * plain[first]);
    CHECK(weights[fourth] > weights[first] && weights[fourth] < plain[fourth]);
    for (const double weight : weights) CHECK(weight >= 0 && weight < 2.1 * pi / 150.5);
}

// What an end gives away goes to the directions on both sides as if it had never been there.
void what_fades_wholly_leaves_the_others_cells() {
    std::vector<double> inner;
    for (int i = 0; i < 52; ++i) inner.push_back(0.08 + 0.06 * i + 0.015 * (i % 3));
    std::vector<double> angles = inner;
    angles.insert(angles.begin(), 0.0);
    angles.push_back(3.26);
    const std::vector<double> found = angle_weights(angles, 0.01);
    const std::vector<double> expected = angle_weights(inner);
    CHECK(std::abs(found.front()) < 1e-12 && std::abs(found.back()) < 1e-12);
    for (std::size_t i = 0; i < inner.size(); ++i)
        CHECK(std::abs(found[i + 1] - expected[i]) < 1e-12);
}

void both_ends_of_a_whole_turn_fade_into_the_middle() {
    std::vector<double> angles(21);
    for (std::size_t i = 0; i < 21; ++i) angles[i] = pi / 10 * static_cast<double>(i);
    const std::vector<double> weights = angle_weights(angles, 0.1);
    CHECK(std::abs(weights[0]) < 1e-12 && std::abs(weights[20]) < 1e-12);
    CHECK(std::abs(weights[10] - pi / 10) < 1e-12);
}

void scans_of_half_a_turn_have_nothing_to_fade() {
    for (const double range : {0.5 * pi, pi}) {
        const std::vector<double> angles = half_turn(30, range);
        CHECK(angle_weights(angles, 0.3) == angle_weights(angles));
    }
    CHECK(std::abs(angle_weights(std::vector{1.0}, 0.3)[0] - pi) < 1e-12);
}

void nonsense_is_refused() {
    const auto make = [](const ParallelBeam& beam, const SliceGrid& grid, const Method& method) {
        Reconstruction{beam, grid, method};
    };
    const ParallelBeam beam{8, {0, 1}};
    const Method fbp{.algorithm = Algorithm::fbp};
    make(beam, {8}, fbp);
    CHECK_THROWS(std::invalid_argument, make({0, {0}}, {8}, fbp));
    CHECK_THROWS(std::invalid_argument, make({8, {}}, {8}, fbp));
    CHECK_THROWS(std::invalid_argument, make(beam, {8}, {Algorithm::fbp, {}, -1}));
    CHECK_THROWS(std::invalid_argument, make(beam, {8}, {Algorithm::fbp, {}, NAN}));
    CHECK_THROWS(std::invalid_argument, make({8, {NAN}}, {8}, fbp));
    CHECK_THROWS(std::invalid_argument, make({8, {0}, 1e9}, {8}, fbp));
    CHECK_THROWS(std::invalid_argument, make(beam, {0}, fbp));
    CHECK_THROWS(std::invalid_argument, make(beam, {8, -1}, fbp));
    CHECK_THROWS(std::invalid_argument, make(beam, {8}, {Algorithm::fbp, {Window::hann, 2}}));
    CHECK_THROWS(std::invalid_argument, make(beam, {8}, {Algorithm::fbp, {}, 0, "nosuch"}));
    CHECK_THROWS(std::invalid_argument, make(beam, {8}, {Algorithm::fbp, {}, 0, "", 0}));
}

}  // namespace

int main() {
    const Method fbp{.algorithm = Algorithm::fbp, .filter = {Window::hann}, .variant = "reference"};
    the_disc_comes_back({64, half_turn(90)}, {64}, fbp);
    the_disc_comes_back({65, half_turn(90)}, {64}, fbp);
    the_disc_comes_back({64, half_turn(90), 28.25}, {51}, fbp);
    the_disc_comes_back({64, half_turn(105, 210 * pi / 180)}, {64}, fbp);
    the_disc_comes_back({64, half_turn(90)}, {128, 0.5}, fbp);
    weights_are_shares_of_the_half_circle();
    a_missing_wedge_is_nobodys_share();
    coarse_views_keep_their_cells();
    ends_fade_into_the_opposite_side();
    ends_fade_between_directions_too();
    what_fades_wholly_leaves_the_others_cells();
    both_ends_of_a_whole_turn_fade_into_the_middle();
    scans_of_half_a_turn_have_nothing_to_fade();
    nonsense_is_refused();
}
