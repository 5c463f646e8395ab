// A fan beam's rays, rebinned, are the parallel beam's: of round hills, whose line integrals are
// known.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <span>
#include <stend/tomo.hpp>

#include "check.h"

using namespace stend::tomo;
using std::numbers::pi;

namespace {

// value · (1 - r² / radius²) at a distance r from its middle, in the unit of the geometry.
struct Hill {
    double x, y, radius, value;

    // Along the line at a distance s from the axis.
    double integral(double angle, double s) const {
        const double d = s - x * std::cos(angle) - y * std::sin(angle);
        const double left = std::max(0.0, radius * radius - d * d);
        return value * 4 / 3 * left * std::sqrt(left) / (radius * radius);
    }

    double at(double at_x, double at_y) const {
        const double r = std::hypot(at_x - x, at_y - y) / radius;
        return r < 1 ? value * (1 - r * r) : 0;
    }
};

// Another in each slice.
std::vector<Hill> hills(std::size_t slice) {
    const double shift = static_cast<double>(slice % 5);
    return {{0, 0, 80, 1}, {30 - shift, 15, 20, 0.5}, {-25, -30 + shift, 25, -0.4}};
}

double integral(std::size_t slice, double angle, double s) {
    double sum = 0;
    for (const Hill& hill : hills(slice)) sum += hill.integral(angle, s);
    return sum;
}

// The line from the source to the detector pixel, by the positions of both.
double measured(const FanBeam& beam, std::size_t slice, double angle, std::size_t pixel) {
    const double center = beam.center.value_or((static_cast<double>(beam.detectors) - 1) / 2);
    const double along = (static_cast<double>(pixel) - center) * beam.pitch;
    const double far = beam.source_to_detector;
    const bool flat = beam.detector == Detector::flat;
    // From the source towards the axis, and across.
    const double down = flat ? far : far * std::cos(along / far);
    const double right = flat ? along : far * std::sin(along / far);
    const double source_x = -beam.source_to_axis * std::sin(angle);
    const double source_y = beam.source_to_axis * std::cos(angle);
    const double dx = down * std::sin(angle) + right * std::cos(angle);
    const double dy = -down * std::cos(angle) + right * std::sin(angle);
    // The normal of the line is at a right angle to it.
    const double normal = std::atan2(dx, -dy);
    return integral(slice, normal, source_x * std::cos(normal) + source_y * std::sin(normal));
}

constexpr std::size_t slices = 17;

std::vector<float> sinograms(const FanBeam& beam) {
    std::vector<float> all;
    for (std::size_t slice = 0; slice < slices; ++slice)
        for (const double angle : beam.angles)
            for (std::size_t i = 0; i < beam.detectors; ++i)
                all.push_back(static_cast<float>(measured(beam, slice, angle, i)));
    return all;
}

std::vector<float> rebinned(const FanBeam& beam, const std::vector<float>& from,
                            OnThreads how = {}) {
    Rebinning rebinning(beam, how);
    const std::size_t width = rebinning.beam().detectors;
    const std::size_t one = rebinning.beam().angles.size() * width;
    std::vector<float> to(slices * one);
    rebinning.run(
        {from.data(), static_cast<std::ptrdiff_t>(beam.angles.size() * beam.detectors),
         static_cast<std::ptrdiff_t>(beam.detectors)},
        slices, {to.data(), static_cast<std::ptrdiff_t>(one), static_cast<std::ptrdiff_t>(width)});
    return to;
}

std::vector<double> turn(std::size_t count, double range, double from = 0) {
    std::vector<double> angles(count);
    for (std::size_t i = 0; i < count; ++i)
        angles[i] = from + range * static_cast<double>(i) / static_cast<double>(count);
    return angles;
}

// Out of order, and at uneven steps.
std::vector<double> uneven(std::vector<double> angles) {
    for (std::size_t i = 0; i < angles.size(); ++i)
        angles[i] += 0.002 * std::sin(7.0 * static_cast<double>(i));
    std::ranges::reverse(angles);
    std::ranges::swap_ranges(angles.begin(), angles.begin() + 5, angles.begin() + 40, angles.end());
    return angles;
}

void its_rays_are_the_parallel_ones(const FanBeam& beam, const std::vector<float>& from,
                                    std::string_view variant) {
    const std::vector<float> rows = rebinned(beam, from, {variant});
    const Rebinning rebinning(beam, {variant});
    const ParallelBeam& parallel = rebinning.beam();
    const std::size_t width = parallel.detectors, one = parallel.angles.size() * width;
    double error = 0, all = 0;
    for (std::size_t slice = 0; slice < slices; slice += 4)
        for (std::size_t a = 0; a < parallel.angles.size(); ++a)
            for (std::size_t i = 0; i < width; ++i) {
                const double s = (static_cast<double>(i) - *parallel.center) * rebinning.pixel();
                const double exact = integral(slice, parallel.angles[a], s);
                const double found = rows[slice * one + a * width + i];
                error += (found - exact) * (found - exact);
                all += exact * exact;
            }
    CHECK(std::sqrt(error / all) < 6e-5);  // with linear interpolation 8e-5 to 1.3e-4
}

void threads_change_no_bit(const FanBeam& beam, const std::vector<float>& from,
                           std::string_view variant) {
    CHECK(rebinned(beam, from, {variant}) == rebinned(beam, from, {variant, 3}));
}

// Through the whole way: fan, rebinning, filtered back projection.
void the_hills_come_back(const FanBeam& beam, const std::vector<float>& from) {
    const std::vector<float> rows = rebinned(beam, from);
    const Rebinning rebinning(beam);
    const std::size_t size = 32;
    std::vector<float> slice(size * size);
    const SliceGrid grid{size, 6};
    Reconstruction reconstruction(rebinning.beam(), grid, {.algorithm = Algorithm::fbp});
    reconstruction.run({rows.data(), 0, static_cast<std::ptrdiff_t>(rebinning.beam().detectors)}, 1,
                       {slice.data(), 0, static_cast<std::ptrdiff_t>(size)});
    for (std::size_t row = 0; row < size; ++row)
        for (std::size_t column = 0; column < size; ++column) {
            const double x = (static_cast<double>(column) - 15.5) * 6 * rebinning.pixel();
            const double y = (15.5 - static_cast<double>(row)) * 6 * rebinning.pixel();
            if (std::hypot(x, y) > 90) continue;
            double exact = 0;
            for (const Hill& hill : hills(0)) exact += hill.at(x, y);
            const double found = slice[row * size + column] / rebinning.pixel();
            CHECK(std::abs(found - exact) < 0.02);
        }
}

// The first projection of an angle counts.
void an_angle_measured_again_changes_nothing(const FanBeam& beam, const std::vector<float>& from) {
    FanBeam more = beam;
    more.angles.push_back(beam.angles[3] + 2 * pi);
    const std::size_t one = beam.angles.size() * beam.detectors;
    std::vector<float> all;
    for (std::size_t slice = 0; slice < slices; ++slice) {
        const auto begin = from.begin() + static_cast<std::ptrdiff_t>(slice * one);
        all.insert(all.end(), begin, begin + static_cast<std::ptrdiff_t>(one));
        all.insert(all.end(), beam.detectors, 7);
    }
    CHECK(rebinned(more, all) == rebinned(beam, from));
}

// Angles that are nearly the same, and a gap: between them a cubic's weights are as large as the
// ratio of steps.
void uneven_steps_multiply_no_noise() {
    std::mt19937 random(1);
    std::normal_distribution<float> normal;
    std::vector<double> twice = turn(180, 4 * pi), again = turn(90, 2 * pi), gap = again;
    for (double& angle : twice) angle += 2e-4 * static_cast<double>(normal(random));
    again.push_back(1e-4);
    gap.erase(gap.begin() + 30);
    gap.push_back(gap[5] + 0.004);
    for (const std::vector<double>& angles : {twice, again, gap}) {
        const FanBeam beam{41, angles, 100, 200, 2};
        std::vector<float> noise(slices * angles.size() * beam.detectors);
        for (float& value : noise) value = normal(random);
        for (const float value : rebinned(beam, noise)) CHECK(std::abs(value) < 6);
    }
}

// 500 sin(atan(1 / 5)) = 98.06 pixels to either side.
void parallel_pixels_reach_as_far_as_the_fan(const FanBeam& beam) {
    const Rebinning rebinning(beam);
    CHECK(rebinning.beam().detectors == 197 && *rebinning.beam().center == 98);
}

void nonsense_is_refused() {
    const auto make = [](auto... values) { Rebinning{FanBeam{values...}}; };
    const std::vector<double> whole = turn(90, 2 * pi);
    make(std::size_t{64}, whole, 100.0, 150.0);
    CHECK_THROWS(std::invalid_argument, make(std::size_t{0}, whole, 100.0, 150.0));
    CHECK_THROWS(std::invalid_argument, make(std::size_t{3}, whole, 100.0, 150.0));
    CHECK_THROWS(std::invalid_argument, make(std::size_t{64}, turn(3, 2 * pi), 100.0, 150.0));
    CHECK_THROWS(std::invalid_argument,
                 make(std::size_t{64}, std::vector<double>(9, 1.0), 100.0, 150.0));
    CHECK_THROWS(std::invalid_argument,
                 make(std::size_t{64}, std::vector<double>(9, NAN), 100.0, 150.0));
    CHECK_THROWS(std::invalid_argument, make(std::size_t{64}, whole, 0.0, 150.0));
    CHECK_THROWS(std::invalid_argument, make(std::size_t{64}, whole, 100.0, -1.0));
    CHECK_THROWS(std::invalid_argument, make(std::size_t{64}, whole, 100.0, 150.0, 0.0));
    CHECK_THROWS(std::invalid_argument,
                 make(std::size_t{64}, whole, 100.0, 15.0, 1.0, Detector::curved));
    CHECK_THROWS(std::invalid_argument,
                 make(std::size_t{64}, whole, 100.0, 150.0, 1.0, Detector::flat, 1e6));
    // A ray at a right angle to the one through the axis, from the end of an arc of less than 180.
    CHECK_THROWS(std::invalid_argument,
                 make(std::size_t{64}, whole, 100.0, 30.0, 1.0, Detector::curved, 4.0));
    CHECK_THROWS(std::invalid_argument,
                 make(std::size_t{64}, whole, 100.0, 30.0, 1.0, Detector::curved, 59.0));
    // All rays between two parallel pixels.
    CHECK_THROWS(std::invalid_argument, make(std::size_t{4}, whole, 100.0, 1.0, 100.0));
    // Half a turn is short of the fan's angle, and so is one angle less than enough.
    make(std::size_t{64}, turn(178, 3.56), 100.0, 150.0);
    CHECK_THROWS(std::invalid_argument, make(std::size_t{64}, turn(177, 3.54), 100.0, 150.0));
    CHECK_THROWS(std::invalid_argument, make(std::size_t{64}, turn(90, pi), 100.0, 150.0));
}

}  // namespace

// `brief`, for emulators: two of the geometries.
int main(int count, char**) {
    const double wide = 2 * std::atan(100.0 / 500);
    const FanBeam flat{201, turn(300, 2 * pi), 500, 1000, 2};
    const FanBeam curved{201, turn(300, 2 * pi, -1), 500, 1000, 2, Detector::curved};
    const FanBeam brief{201, turn(180, pi + wide + 0.05, 4), 500, 800, 1.6, Detector::flat, 98.75};
    const FanBeam other{180, uneven(turn(300, 2 * pi)), 300, 400, 1.5, Detector::curved};
    const std::vector<FanBeam> all{brief, other, flat, curved};
    for (const FanBeam& beam : std::span(all).first(count == 1 ? 4 : 2)) {
        const std::vector<float> from = sinograms(beam);
        for (const std::string_view variant : rebinning_variants()) {
            CHECK(Rebinning(beam, {variant}).variant() == variant);
            its_rays_are_the_parallel_ones(beam, from, variant);
        }
        threads_change_no_bit(beam, from, {});
        the_hills_come_back(beam, from);
    }
    parallel_pixels_reach_as_far_as_the_fan(flat);
    uneven_steps_multiply_no_noise();
    an_angle_measured_again_changes_nothing(flat, sinograms(flat));
    // Of a short scan, an axis near a side: the fan reaches further to the other.
    const FanBeam aside{201, turn(200, pi + 0.3, 2), 500, 1000, 1, Detector::flat, 60};
    its_rays_are_the_parallel_ones(aside, sinograms(aside), "portable");
    const std::vector<double> parallel = Rebinning(aside).beam().angles;
    CHECK(std::abs(parallel.front() - (aside.angles.front() + std::asin(0.138))) < 1e-9);
    CHECK(parallel.back() < aside.angles.back() - std::asin(0.059) + 1e-8);
    nonsense_is_refused();
}
