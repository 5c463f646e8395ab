// Balls, whose line integrals are their chords, come back from a cone beam's projections; the
// middle slice is the fan beam's; every variant equals the reference.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <stend/tomo.hpp>

#include "check.h"

using namespace stend::tomo;
using std::numbers::pi;

namespace {

struct Ball {
    double x, y, z, radius, value;
};

const Ball balls[] = {{0, 0, 0, 20, 1}, {8, 6, 3, 5, 0.5}, {-9, 4, -6, 4, -0.5}};

double inside(double x, double y, double z) {
    double sum = 0;
    for (const Ball& ball : balls)
        if (std::hypot(x - ball.x, y - ball.y, z - ball.z) < ball.radius) sum += ball.value;
    return sum;
}

bool near_a_surface(double x, double y, double z, double distance) {
    return std::ranges::any_of(balls, [&](const Ball& ball) {
        return std::abs(std::hypot(x - ball.x, y - ball.y, z - ball.z) - ball.radius) < distance;
    });
}

// From a point along a direction, both of the ray.
double integral(const double (&from)[3], const double (&along)[3]) {
    const double length = std::hypot(along[0], along[1], along[2]);
    double sum = 0;
    for (const Ball& ball : balls) {
        const double to[3] = {ball.x - from[0], ball.y - from[1], ball.z - from[2]};
        double product = 0, square = 0;
        for (int i = 0; i < 3; ++i) {
            product += to[i] * along[i] / length;
            square += to[i] * to[i];
        }
        const double left = ball.radius * ball.radius - (square - product * product);
        if (left > 0) sum += 2 * ball.value * std::sqrt(left);
    }
    return sum;
}

double center(const std::optional<double>& given, std::size_t pixels) {
    return given.value_or((static_cast<double>(pixels) - 1) / 2);
}

std::vector<float> projections(const ConeBeam& beam) {
    std::vector<float> all;
    const double far = beam.source_to_axis, down = beam.source_to_detector;
    for (const double angle : beam.angles)
        for (std::size_t row = 0; row < beam.rows; ++row)
            for (std::size_t column = 0; column < beam.columns; ++column) {
                const double u =
                    (static_cast<double>(column) - center(beam.center_column, beam.columns)) *
                    beam.pitch;
                const double v =
                    (static_cast<double>(row) - center(beam.center_row, beam.rows)) * beam.pitch;
                const double source[] = {-far * std::sin(angle), far * std::cos(angle), 0};
                const double ray[] = {down * std::sin(angle) + u * std::cos(angle),
                                      -down * std::cos(angle) + u * std::sin(angle), v};
                all.push_back(static_cast<float>(integral(source, ray)));
            }
    return all;
}

std::vector<float> volume(const ConeBeam& beam, const VolumeGrid& grid,
                          const ConeMethod& method = {}) {
    const std::vector<float> from = projections(beam);
    const std::size_t slice = grid.size * grid.size;
    std::vector<float> to(slice * grid.slices);
    ConeReconstruction(beam, grid, method)
        .run({from.data(), static_cast<std::ptrdiff_t>(beam.rows * beam.columns),
              static_cast<std::ptrdiff_t>(beam.columns)},
             {to.data(), static_cast<std::ptrdiff_t>(slice),
              static_cast<std::ptrdiff_t>(grid.size)});
    return to;
}

std::vector<double> turn(std::size_t count, double range, double from = 0) {
    std::vector<double> angles(count);
    for (std::size_t i = 0; i < count; ++i)
        angles[i] = from + range * static_cast<double>(i) / static_cast<double>(count);
    return angles;
}

const VolumeGrid grid{24, 12, 2, 1};

const double fan = 2 * std::atan(32.0 / 200);

const ConeBeam whole{64, 48, turn(120, 2 * pi), 200, 300, 1.5};
const ConeBeam brief{65, 46, turn(90, pi + fan + 0.1, -2), 200, 300, 1.5, 32.25, 20.5};
// Its detector reaches farther on one side, then on the other.
const ConeBeam one_sided{48, 48, turn(120, 2 * pi, 1), 200, 300, 1.5, 15.75, {}};
const ConeBeam other_sided{48, 48, turn(120, 2 * pi, 1), 200, 300, 1.5, 31.25, {}};

// In planes up to `far` from the middle one, of which alone the circle's projections say all.
void the_balls_come_back(const ConeBeam& beam, double far) {
    const std::vector<float> found = volume(beam, grid, {{Window::hann}, {}});
    for (std::size_t k = 0; k < grid.slices; ++k)
        for (std::size_t row = 0; row < grid.size; ++row)
            for (std::size_t column = 0; column < grid.size; ++column) {
                const double x = (static_cast<double>(column) - 11.5) * 2;
                const double y = (11.5 - static_cast<double>(row)) * 2;
                const double z = (static_cast<double>(k) - 5.5) * 2 + 1;
                if (std::abs(z) > far || std::hypot(x, y) > 22 || near_a_surface(x, y, z, 2.5))
                    continue;
                const double value = found[(k * grid.size + row) * grid.size + column];
                CHECK(std::abs(value - inside(x, y, z)) < 0.03);
            }
}

// Kak and Slaney 1988, 3.4.2: the fan beam's filtered back projection on a flat detector.
double fan_beam(const ConeBeam& beam, const std::vector<float>& all, double x, double y) {
    const double pixel = beam.pitch * beam.source_to_axis / beam.source_to_detector;
    const double middle = center(beam.center_column, beam.columns), far = beam.source_to_axis;
    double sum = 0;
    for (std::size_t a = 0; a < beam.angles.size(); ++a) {
        const double angle = beam.angles[a];
        const double depth = (far + x * std::sin(angle) - y * std::cos(angle)) / far;
        const double u = (x * std::cos(angle) + y * std::sin(angle)) / depth / pixel + middle;
        const auto filtered = [&](double at) {
            double value = 0;
            for (std::size_t i = 0; i < beam.columns; ++i) {
                const double distance = at - static_cast<double>(i);
                const bool odd = std::fmod(std::abs(distance), 2) == 1;
                const double kernel = distance == 0 ? 0.25
                                      : odd         ? -1 / (pi * pi * distance * distance)
                                                    : 0;
                const double s = (static_cast<double>(i) - middle) * pixel;
                const float* rows = &all[a * beam.rows * beam.columns];
                value += kernel * rows[beam.rows / 2 * beam.columns + i] * far / std::hypot(far, s);
            }
            return value / pixel;
        };
        const double left = std::floor(u);
        sum +=
            (filtered(left) + (u - left) * (filtered(left + 1) - filtered(left))) / (depth * depth);
    }
    return sum * pi / static_cast<double>(beam.angles.size());
}

void the_middle_slice_is_the_fan_beams() {
    ConeBeam beam = whole;
    beam.rows = 9;
    beam.angles = turn(40, 2 * pi);
    const std::vector<float> found = volume(beam, {17, 1, 1.5});
    const std::vector<float> all = projections(beam);
    for (std::size_t row = 0; row < 17; row += 3)
        for (std::size_t column = 0; column < 17; ++column) {
            const double x = (static_cast<double>(column) - 8) * 1.5;
            const double y = (8 - static_cast<double>(row)) * 1.5;
            CHECK(std::abs(found[row * 17 + column] - fan_beam(beam, all, x, y)) < 2e-5);
        }
}

// Voxels that are finer and coarser than what pick() takes, tiles and lanes that aren't full, a
// detector that is too small for the volume, and angles out of order that share directions.
void every_variant_equals_the_reference() {
    ConeBeam beam{37, 21, turn(35, 2 * pi), 90, 150, 1.7, 16.25, 11.5};
    std::ranges::reverse(beam.angles);
    beam.angles[3] = beam.angles[20] + 2 * pi;
    for (const VolumeGrid& small :
         {VolumeGrid{35, 21, 1}, VolumeGrid{9, 7, 3.5, 4}, VolumeGrid{5, 300, 0.15}}) {
        const std::vector<float> expected = volume(beam, small, {{}, {"reference"}});
        for (const std::string_view variant : cone_variants()) {
            const std::vector<float> found = volume(beam, small, {{}, {variant}});
            for (std::size_t i = 0; i < expected.size(); ++i)
                CHECK(std::abs(found[i] - expected[i]) < 2e-5);
        }
        CHECK(volume(beam, small, {{}, {{}, 3}}) == volume(beam, small));
    }
}

void a_slab_is_a_part_of_the_volume() {
    const std::vector<float> all = volume(whole, {20, 16, 1, 0});
    const std::vector<float> slab = volume(whole, {20, 4, 1, 2});  // slices 8 … 11
    for (std::size_t i = 0; i < slab.size(); ++i)
        CHECK(std::abs(slab[i] - all[8 * 400 + i]) < 1e-5);
}

void nonsense_is_refused() {
    const auto make = [](ConeBeam beam, const VolumeGrid& of = {8, 8}, const ConeMethod& how = {}) {
        ConeReconstruction{beam, of, how};
    };
    const std::vector<double> angles = turn(20, 2 * pi);
    make({16, 16, angles, 100, 150});
    CHECK_THROWS(std::invalid_argument, make({0, 16, angles, 100, 150}));
    CHECK_THROWS(std::invalid_argument, make({16, 0, angles, 100, 150}));
    CHECK_THROWS(std::invalid_argument, make({16, 16, {}, 100, 150}));
    CHECK_THROWS(std::invalid_argument, make({16, 16, {NAN}, 100, 150}));
    CHECK_THROWS(std::invalid_argument, make({16, 16, angles, -1, 150}));
    CHECK_THROWS(std::invalid_argument, make({16, 16, angles, 100, NAN}));
    CHECK_THROWS(std::invalid_argument, make({16, 16, angles, 100, 150, 0}));
    CHECK_THROWS(std::invalid_argument, make({16, 16, angles, 100, 150, 1, 1e9}));
    CHECK_THROWS(std::invalid_argument, make({16, 16, angles, 100, 150, 1, 8, NAN}));
    CHECK_THROWS(std::invalid_argument, make({16, 16, turn(20, 3), 100, 150}));
    CHECK_THROWS(std::invalid_argument, make({16, 16, angles, 100, 150}, {0, 8}));
    CHECK_THROWS(std::invalid_argument, make({16, 16, angles, 100, 150}, {8, 0}));
    CHECK_THROWS(std::invalid_argument, make({16, 16, angles, 100, 150}, {8, 8, 0}));
    CHECK_THROWS(std::invalid_argument, make({16, 16, angles, 100, 150}, {8, 8, 1, NAN}));
    CHECK_THROWS(std::invalid_argument, make({16, 16, angles, 100, 150}, {200, 8}));
    CHECK_THROWS(std::invalid_argument,
                 make({16, 16, angles, 100, 150}, {8, 8}, {{Window::hann, 2}, {}}));
    CHECK_THROWS(std::invalid_argument, make({16, 16, angles, 100, 150}, {8, 8}, {{}, {"nosuch"}}));
    CHECK_THROWS(std::invalid_argument, make({16, 16, angles, 100, 150}, {8, 8}, {{}, {"", 0}}));
}

}  // namespace

int main() {
    for (const ConeBeam& beam : {whole, one_sided, other_sided}) the_balls_come_back(beam, 13);
    the_balls_come_back(brief, 3);  // the opposite rays, of another slope, don't make up for it
    the_middle_slice_is_the_fan_beams();
    for (const std::string_view variant : cone_variants())
        CHECK(ConeReconstruction(whole, grid, {{}, {variant}}).variant() == variant);
    every_variant_equals_the_reference();
    a_slab_is_a_part_of_the_volume();
    nonsense_is_refused();
}
