// Parallel pixels lie as the detector's do, seen at the axis, and parallel angles as the source's.
#include "tomo/fan/tables.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "tomo/checks.h"
#include "tomo/way.h"

namespace stend::tomo::fan {
namespace {

using std::numbers::pi;

double magnification(const FanBeam& beam) {
    return beam.source_to_detector / beam.source_to_axis;
}

double center_of(const FanBeam& beam) {
    return beam.center.value_or((static_cast<double>(beam.detectors) - 1) / 2);
}

void check(const FanBeam& beam) {
    check_count("The number of detector pixels", beam.detectors);
    check_positive("The distance from source to axis", beam.source_to_axis);
    check_positive("The distance from source to detector", beam.source_to_detector);
    check_positive("The pitch of detector pixels", beam.pitch);
    check_center("The axis", center_of(beam), beam.detectors);
    if (beam.detectors < neighbours || beam.angles.size() < neighbours)
        refuse("A fan beam of " + std::to_string(beam.detectors) + " detector pixels and " +
               std::to_string(beam.angles.size()) + " angles can't be interpolated; it needs " +
               std::to_string(neighbours) + " of each.");
    check_angles(beam.angles);
    if (beam.detector == Detector::curved)
        check_arc(center_of(beam), beam.detectors, beam.source_to_detector / beam.pitch);
}

double fan_angle(const FanBeam& beam, double pixel) {
    const double along = (pixel - center_of(beam)) * beam.pitch / beam.source_to_detector;
    return beam.detector == Detector::flat ? std::atan(along) : along;
}

double detector_pixel(const FanBeam& beam, double fan_angle) {
    const double along = beam.detector == Detector::flat ? std::tan(fan_angle) : fan_angle;
    return along * beam.source_to_detector / beam.pitch + center_of(beam);
}

// The first projection of each angle.
std::vector<std::size_t> order_of(const Way& way) {
    std::vector<std::size_t> order(way.angles.size());
    for (std::size_t i = way.place.size(); i-- > 0;) order[way.place[i]] = i;
    return order;
}

// Between the two nodes around x, in proportion.
Between linear(std::size_t first, const std::array<double, neighbours>& nodes, double x) {
    unsigned i = 0;
    while (i + 2 < neighbours && nodes[i + 1] < x) ++i;
    const double part = std::clamp((x - nodes[i]) / (nodes[i + 1] - nodes[i]), 0.0, 1.0);
    Between between{static_cast<std::uint32_t>(first), {}};
    between.weights[i] = static_cast<float>(1 - part);
    between.weights[i + 1] = static_cast<float>(part);
    return between;
}

// Weights of the polynomial through the values at `nodes` at x. Where some nodes are much nearer to
// each other than others (angles measured twice, a gap) its weights would be as large as these
// distances' ratio, and multiply noise by it.
Between lagrange(std::size_t first, const std::array<double, neighbours>& nodes, double x) {
    constexpr double most_uneven = 4;
    double least = nodes[1] - nodes[0], most = least;
    for (unsigned i = 2; i < neighbours; ++i) {
        least = std::min(least, nodes[i] - nodes[i - 1]);
        most = std::max(most, nodes[i] - nodes[i - 1]);
    }
    if (most > most_uneven * least) return linear(first, nodes, x);
    Between between{static_cast<std::uint32_t>(first), {}};
    for (unsigned i = 0; i < neighbours; ++i) {
        double weight = 1;
        for (unsigned j = 0; j < neighbours; ++j)
            if (j != i) weight *= (x - nodes[j]) / (nodes[i] - nodes[j]);
        between.weights[i] = static_cast<float>(weight);
    }
    return between;
}

// The first of the neighbours of x, which lies between index `left` and the next one.
std::size_t first_of(std::size_t left, std::size_t count) {
    constexpr std::size_t before = neighbours / 2 - 1;
    return std::min(left > before ? left - before : 0, count - neighbours);
}

Between between_pixels(double x, std::size_t count) {
    const std::size_t first =
        first_of(static_cast<std::size_t>(std::max(0.0, std::floor(x))), count);
    std::array<double, neighbours> nodes;
    for (unsigned i = 0; i < neighbours; ++i) nodes[i] = static_cast<double>(first + i);
    return lagrange(first, nodes, x);
}

Between between_angles(const Way& way, double angle) {
    const std::vector<double>& angles = way.angles;
    const std::size_t count = angles.size();
    double x = angle;
    if (way.whole) {
        while (x < angles.front()) x += 2 * pi;
        while (x >= angles.front() + 2 * pi) x -= 2 * pi;
    }
    const auto after =
        static_cast<std::size_t>(std::ranges::upper_bound(angles, x) - angles.begin());
    const std::size_t left = after > 0 ? after - 1 : 0;
    std::size_t first = first_of(left, count);
    if (way.whole) first = (left + count - (neighbours / 2 - 1)) % count;
    std::array<double, neighbours> nodes;
    for (unsigned i = 0; i < neighbours; ++i) {
        nodes[i] = angles[(first + i) % count];
        if (first + i >= count) nodes[i] += 2 * pi;
    }
    if (first > left) x += 2 * pi;  // they begin before the first angle, at the way's end
    return lagrange(first, nodes, x);
}

std::vector<double> parallel_angles(const Way& way, double least, double most) {
    if (way.whole) return way.angles;
    const double first = way.angles.front() + most, last = way.angles.back() + least;
    if (last - first < pi - way.step() * 1.001)
        refuse("The source goes " + std::to_string(way.range() * 180 / pi) +
               " degrees around; a short scan takes half a turn and the fan's angle, " +
               std::to_string((pi + most - least) * 180 / pi) + " degrees.");
    std::vector<double> angles;
    for (double angle = first; angle < last + 1e-9; angle += way.step()) angles.push_back(angle);
    return angles;
}

}  // namespace

Tables tables(const FanBeam& beam) {
    check(beam);
    const Way way = way_of(beam.angles);
    if (way.angles.size() < neighbours)
        refuse("The fan beam has " + std::to_string(way.angles.size()) +
               " different source angles; it needs " + std::to_string(neighbours) + ".");
    const double pixel = beam.pitch / magnification(beam), center = center_of(beam);
    const double end = static_cast<double>(beam.detectors - 1);
    const auto s_of = [&](double at) {
        return beam.source_to_axis * std::sin(fan_angle(beam, at)) / pixel;
    };
    // Pixels that lie between the detector's first and last one.
    const double first = std::ceil(s_of(0) + center - 1e-9);
    const double last = std::floor(s_of(end) + center + 1e-9);
    if (last < first)
        refuse("The fan's " + std::to_string(beam.detectors) + " rays pass within " +
               in_words((s_of(end) - s_of(0)) * pixel) +
               " of each other at the axis, between two parallel pixels, which are " +
               in_words(pixel) + " apart; the pitch must be smaller.");
    Tables made{beam.detectors, order_of(way), {}, pixel, {}, {}};
    made.beam.detectors = static_cast<std::size_t>(last - first + 1);
    made.beam.center = center - first;
    std::vector<double> fan_angles;
    for (double i = first; i <= last; ++i) {
        const double sine = (i - center) * pixel / beam.source_to_axis;
        fan_angles.push_back(std::asin(std::clamp(sine, -1.0, 1.0)));
        const double at = detector_pixel(beam, fan_angles.back());
        made.across.push_back(between_pixels(std::clamp(at, 0.0, end), beam.detectors));
    }
    made.beam.angles = parallel_angles(way, fan_angles.front(), fan_angles.back());
    made.around.reserve(made.beam.angles.size() * fan_angles.size());
    for (const double angle : made.beam.angles)
        for (const double fan : fan_angles) made.around.push_back(between_angles(way, angle - fan));
    return made;
}

}  // namespace stend::tomo::fan
