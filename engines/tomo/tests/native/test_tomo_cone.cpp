// Balls, whose line integrals are their chords, come back from a cone beam's projections, as the
// paper's formula has it; the middle slice is the fan beam's; every variant equals the reference.
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
    std::vector<float> to(slice * grid.slices, 7);  // what was there doesn't count
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

// Only the axis and one side of it, the end of a pixel on the axis and its middle.
ConeBeam half(double center) {
    return {33, 48, turn(120, 2 * pi, 1), 200, 300, 1.5, center, {}};
}

// In planes up to 3 from the middle one pixels and angles bound the error, which falls to 0.003
// with four times as many; up to 13, the circle, whose projections don't say all of them: there it
// is 0.010 then.
void the_balls_come_back(const ConeBeam& beam, double near, double far) {
    const std::vector<float> found = volume(beam, grid, {{Window::hann}, {}});
    for (std::size_t k = 0; k < grid.slices; ++k)
        for (std::size_t row = 0; row < grid.size; ++row)
            for (std::size_t column = 0; column < grid.size; ++column) {
                const double x = (static_cast<double>(column) - 11.5) * 2;
                const double y = (11.5 - static_cast<double>(row)) * 2;
                const double z = (static_cast<double>(k) - 5.5) * 2 + 1;
                if (std::hypot(x, y) > 22 || near_a_surface(x, y, z, 2.5)) continue;
                const double value = found[(k * grid.size + row) * grid.size + column];
                CHECK(std::abs(value - inside(x, y, z)) < (std::abs(z) > 3 ? far : near));
            }
}

void a_short_scan_may_go_through_zero() {
    ConeBeam turned = brief;
    for (double& angle : turned.angles) angle -= 2 * pi * std::floor(angle / (2 * pi));
    const std::vector<float> expected = volume(brief, grid), found = volume(turned, grid);
    for (std::size_t i = 0; i < found.size(); ++i) CHECK(std::abs(found[i] - expected[i]) < 1e-5);
}

// The projections' part of the sum at a voxel, by the paper's formula on a flat detector at the
// axis (Kak and Slaney 1988, equations 3.176 … 3.178): the ramp's kernel of band-limited rows
// (3.61), and what is between pixels linear.
double feldkamp(const ConeBeam& beam, const std::vector<float>& all, double x, double y, double z) {
    const double far = beam.source_to_axis, pixel = beam.pitch * far / beam.source_to_detector;
    const double middle = center(beam.center_column, beam.columns);
    const double middle_row = center(beam.center_row, beam.rows);
    double sum = 0;
    for (std::size_t a = 0; a < beam.angles.size(); ++a) {
        const double angle = beam.angles[a];
        const auto filtered = [&](double at, double row) {
            double value = 0;
            const bool there = at >= 0 && at < static_cast<double>(beam.columns) && row >= 0 &&
                               row < static_cast<double>(beam.rows);
            for (std::size_t i = 0; there && i < beam.columns; ++i) {
                const double distance = at - static_cast<double>(i);
                const bool odd = std::fmod(std::abs(distance), 2) == 1;
                const double kernel = distance == 0 ? 0.25
                                      : odd         ? -1 / (pi * pi * distance * distance)
                                                    : 0;
                const double u = (static_cast<double>(i) - middle) * pixel;
                const double v = (row - middle_row) * pixel;
                const std::size_t line = a * beam.rows + static_cast<std::size_t>(row);
                value += kernel * all[line * beam.columns + i] * far / std::hypot(far, u, v);
            }
            return value / pixel;
        };
        const double depth = (far + x * std::sin(angle) - y * std::cos(angle)) / far;
        const double u = (x * std::cos(angle) + y * std::sin(angle)) / depth / pixel + middle;
        const double v = z / depth / pixel + middle_row;
        for (const double column : {std::floor(u), std::floor(u) + 1})
            for (const double row : {std::floor(v), std::floor(v) + 1})
                sum += (1 - std::abs(u - column)) * (1 - std::abs(v - row)) *
                       filtered(column, row) / (depth * depth);
    }
    return sum * pi / static_cast<double>(beam.angles.size());
}

// In the middle plane it is the fan beam's filtered back projection. The detector is too small, and
// the source's plane lies between two rows.
void it_is_what_the_paper_has() {
    const ConeBeam beam{30, 7, turn(24, 2 * pi, 0.5), 100, 150, 1.5, {}, 2.75};
    const VolumeGrid small{19, 6, 1.5, 1};
    const std::vector<float> found = volume(beam, small), all = projections(beam);
    for (std::size_t voxel = 0; voxel < found.size(); voxel += 5) {
        const double x = (static_cast<double>(voxel % 19) - 9) * 1.5;
        const double y = (9 - static_cast<double>(voxel / 19 % 19)) * 1.5;
        const double z = (static_cast<double>(voxel / (19 * 19)) - 2.5) * 1.5 + 1;
        CHECK(std::abs(found[voxel] - feldkamp(beam, all, x, y, z)) < 2e-5);
    }
}

// Of an independent kind: the middle row's rays in parallel order, where rays that are measured
// twice need no weights, and a parallel beam's filtered back projection.
void a_short_scans_middle_slice_is_the_rebinned_fans() {
    ConeBeam beam = brief;
    beam.rows = 3;
    beam.center_row = 1;
    const std::size_t size = 24;
    const std::vector<float> from = projections(beam),
                             found = volume(beam, {size, 1, 1.5}, {{Window::hann}, {}});
    const FanBeam fan{beam.columns, beam.angles,    beam.source_to_axis, beam.source_to_detector,
                      beam.pitch,   Detector::flat, beam.center_column};
    Rebinning rebinning(fan);
    const auto width = static_cast<std::ptrdiff_t>(rebinning.beam().detectors);
    std::vector<float> rows(static_cast<std::size_t>(width) * rebinning.beam().angles.size());
    const auto columns = static_cast<std::ptrdiff_t>(beam.columns);
    rebinning.run({from.data() + columns, 0, 3 * columns}, 1, {rows.data(), 0, width});
    std::vector<float> slice(size * size);
    const double pixel = rebinning.pixel();
    Reconstruction(rebinning.beam(), {size, 1.5 / pixel}, {Algorithm::fbp, {Window::hann}})
        .run({rows.data(), 0, width}, 1, {slice.data(), 0, static_cast<std::ptrdiff_t>(size)});
    double error = 0, sum = 0;
    for (std::size_t i = 0; i < slice.size(); ++i) {
        error += std::pow(slice[i] / pixel - found[i], 2);
        sum += std::pow(found[i], 2);
    }
    CHECK(std::sqrt(error / sum) < 0.004);
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

// From voxel to voxel more rows than a float tells apart, as far as lengths are allowed.
void voxels_any_number_of_rows_apart_equal_the_reference() {
    for (const auto& [pitch, voxel] : {std::pair{1e-3, 4.0}, {1e-7, 4.0}, {1e-30, 1e10}}) {
        const double far = voxel == 4 ? 100 : 1e30;
        const ConeBeam beam{9, 7, turn(8, 2 * pi, 0.3), far, far, pitch};
        const std::vector<float> ones(8 * 7 * 9, 1.0F);
        const auto made = [&](std::string_view variant) {
            std::vector<float> to(3 * 9);
            ConeReconstruction(beam, {3, 3, voxel}, {{}, {variant}})
                .run({ones.data(), 7 * 9, 9}, {to.data(), 9, 3});
            return to;
        };
        const std::vector<float> expected = made("reference");
        const float most = std::ranges::max(expected);
        CHECK(most > 0);
        for (const std::string_view variant : cone_variants()) {
            const std::vector<float> found = made(variant);
            for (std::size_t i = 0; i < expected.size(); ++i)
                CHECK(std::abs(found[i] - expected[i]) <= 1e-5F * most);
        }
    }
}

void a_slab_is_a_part_of_the_volume() {
    const std::vector<float> all = volume(whole, {20, 16, 1, 0});
    const std::vector<float> slab = volume(whole, {20, 4, 1, 2});  // slices 8 … 11
    for (std::size_t i = 0; i < slab.size(); ++i)
        CHECK(std::abs(slab[i] - all[8 * 400 + i]) < 1e-5);
}

// Slices 2 and 3 of 40, up to 17.5 from the source's plane, are seen by rows 4 to 9 of 48 alone.
void a_slab_needs_a_band_of_the_detectors_rows() {
    const std::vector<float> all = volume(whole, {20, 40, 1, 0});
    ConeBeam band = whole;
    band.rows = 6;
    band.center_row = 23.5 - 4;
    const std::vector<float> slab = volume(band, {20, 2, 1, -17});
    for (std::size_t i = 0; i < slab.size(); ++i)
        CHECK(std::abs(slab[i] - all[2 * 400 + i]) < 1e-5);
    band.center_row = 2000;  // they see nothing of the slices
    for (const float value : volume(band, {20, 2, 1})) CHECK(value == 0);
}

void what_is_thrown_meanwhile_ends_it() {
    const std::vector<float> from(whole.angles.size() * whole.rows * whole.columns);
    std::vector<float> to(400);
    ConeReconstruction made(whole, {20, 1});
    const ConeProjections projections{from.data(),
                                      static_cast<std::ptrdiff_t>(whole.rows * whole.columns),
                                      static_cast<std::ptrdiff_t>(whole.columns)};
    unsigned calls = 0;
    made.run(projections, {to.data(), 400, 20}, [&] { ++calls; });
    CHECK(calls > 1);
    CHECK_THROWS(std::runtime_error, made.run(projections, {to.data(), 400, 20}, [&] {
        if (--calls == 0) throw std::runtime_error("enough");
    }));
    CHECK(calls == 0);
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
    CHECK_THROWS(std::invalid_argument, make({16, 16, angles, 100, 150, 1, 8, -1e5}));
    CHECK_THROWS(std::invalid_argument, make({16, 16, turn(20, 3), 100, 150}));
    // Half a turn and twice the angle of the outer ray, 2 atan(7.5 / 150) = 0.0999.
    make({16, 16, turn(100, pi + 0.1), 100, 150});
    CHECK_THROWS(std::invalid_argument, make({16, 16, turn(100, pi + 0.09), 100, 150}));
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

// What is missing of a turn, or uneven in it, leaves it a whole one: a displaced detector needs it.
void a_turn_with_a_gap_is_a_turn() {
    for (const std::size_t missing : {std::size_t{0}, std::size_t{60}, std::size_t{119}}) {
        ConeBeam beam = one_sided;
        beam.angles.erase(beam.angles.begin() + static_cast<std::ptrdiff_t>(missing));
        the_balls_come_back(beam, 0.0125, 0.027);
    }
    ConeBeam golden = one_sided;
    for (std::size_t i = 0; i < golden.angles.size(); ++i)
        golden.angles[i] = static_cast<double>(i) * 2 * pi / std::numbers::phi;
    the_balls_come_back(golden, 0.0125, 0.027);
    ConeBeam twice = one_sided;
    twice.angles = turn(241, 4 * pi, 1);
    the_balls_come_back(twice, 0.0125, 0.027);
}

void half_a_detector_sees_all() {
    for (const double end : {0.0, -0.5, 32.0, 32.5}) the_balls_come_back(half(end), 0.036, 0.036);
    // Between the two, pixels seen from both sides lie between each other.
    for (const double end : {0.25, -0.25}) the_balls_come_back(half(end), 0.22, 0.22);
}

// `brief`, for emulators and sanitizers: without some of the beams.
int main(int count, char**) {
    if (count == 1) a_turn_with_a_gap_is_a_turn();
    if (count == 1) half_a_detector_sees_all();
    the_balls_come_back(whole, 0.0105, 0.02);
    for (const ConeBeam& beam : {one_sided, other_sided}) the_balls_come_back(beam, 0.012, 0.026);
    the_balls_come_back(brief, 0.0135,
                        0.09);  // opposite rays, of another slope, don't make up for it
    a_short_scan_may_go_through_zero();
    it_is_what_the_paper_has();
    a_short_scans_middle_slice_is_the_rebinned_fans();
    for (const std::string_view variant : cone_variants())
        CHECK(ConeReconstruction(whole, grid, {{}, {variant}}).variant() == variant);
    every_variant_equals_the_reference();
    voxels_any_number_of_rows_apart_equal_the_reference();
    a_slab_is_a_part_of_the_volume();
    a_slab_needs_a_band_of_the_detectors_rows();
    what_is_thrown_meanwhile_ends_it();
    nonsense_is_refused();
}
