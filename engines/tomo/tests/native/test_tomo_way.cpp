// How a source goes around: angles that are one, the gap, and each projection's part of the way.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "check.h"
#include "tomo/way.h"

using namespace stend::tomo;
using std::numbers::pi;

namespace {

std::vector<double> turn(std::size_t count, std::size_t of) {
    std::vector<double> angles(count);
    for (std::size_t i = 0; i < count; ++i)
        angles[i] = 2 * pi * static_cast<double>(i) / static_cast<double>(of);
    return angles;
}

bool near(const std::vector<double>& some, const std::vector<double>& others) {
    return std::ranges::equal(some, others,
                              [](double a, double b) { return std::abs(a - b) < 1e-9; });
}

void an_even_turn_begins_with_its_first_angle_and_is_whole() {
    const Way way = way_of(turn(36, 36));
    CHECK(way.whole && near(way.angles, turn(36, 36)));
    CHECK(near(way.parts(), std::vector<double>(36, 2 * pi / 36)));
}

// A gap of three steps, or of 5° where steps are small.
void a_turn_with_a_wide_gap_is_not_whole() {
    CHECK(way_of(turn(35, 36)).whole && !way_of(turn(33, 36)).whole);
    CHECK(std::abs(way_of(turn(33, 36)).range() - 2 * pi * 33 / 36) < 1e-9);
    CHECK(way_of(turn(712, 720)).whole && !way_of(turn(709, 720)).whole);
}

void a_whole_turn_later_is_the_same_angle() {
    std::vector<double> angles = turn(36, 36);
    for (const double again : {2 * pi, 2 * pi - 1e-7, -1e-7, angles[5] - 4 * pi})
        angles.push_back(again);
    const Way way = way_of(angles);
    CHECK(way.angles.size() == 36);
    CHECK(way.place[36] == 0 && way.place[37] == 0 && way.place[38] == 0 && way.place[39] == 5);
    const std::vector<double> parts = way.parts();
    CHECK(std::abs(parts[0] - pi / 18 / 4) < 1e-6 && std::abs(parts[5] - pi / 18 / 2) < 1e-6);
    CHECK(std::abs(std::reduce(parts.begin(), parts.end()) - 2 * pi) < 1e-9);
}

void parts_reach_half_way_to_the_angles_around() {
    CHECK(near(way_of(std::vector{3.0, 0.0, 4.7, 1.5}).parts(),
               {1.6, (2 * pi - 4.7 + 1.5) / 2, (2 * pi - 3) / 2, 1.5}));
    // Of a short scan, half a mean step beyond the ends.
    CHECK(near(way_of(std::vector{1.0, 1.2, 1.6}).parts(), {0.25, 0.3, 0.35}));
}

}  // namespace

int main() {
    an_even_turn_begins_with_its_first_angle_and_is_whole();
    a_turn_with_a_wide_gap_is_not_whole();
    a_whole_turn_later_is_the_same_angle();
    parts_reach_half_way_to_the_angles_around();
}
