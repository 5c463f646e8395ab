// Parallel pixels lie as the detector's do, seen at the axis, and parallel angles as the source's.
#include "tomo/fan/tables.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>

#include "tomo/checks.h"

namespace stend::tomo::fan {
namespace {

using std::numbers::pi;

// Source angles nearer than this are one: angles come from degrees in single precision.
constexpr double same = 1e-5;

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
    for (std::size_t i = 0; i < beam.angles.size(); ++i)
        if (!std::isfinite(beam.angles[i]))
            refuse("Angle " + std::to_string(i) + " is not a finite number.");
    const double width = static_cast<double>(beam.detectors) * beam.pitch;
    if (beam.detector == Detector::curved && width >= pi * beam.source_to_detector)
        refuse("The curved detector spans " +
               std::to_string(width / beam.source_to_detector * 180 / pi) +
               " degrees around the source; it must be less than 180.");
}

double fan_angle(const FanBeam& beam, double pixel) {
    const double along = (pixel - center_of(beam)) * beam.pitch / beam.source_to_detector;
    return beam.detector == Detector::flat ? std::atan(along) : along;
}

double detector_pixel(const FanBeam& beam, double fan_angle) {
    const double along = beam.detector == Detector::flat ? std::tan(fan_angle) : fan_angle;
    return along * beam.source_to_detector / beam.pitch + center_of(beam);
}

// The source's way round, from where the largest gap ends.
struct Way {
    std::vector<std::size_t> order;
    std::vector<double> angles;  // growing
    bool whole;                  // the gap is no larger than the others
    double step() const {
        return (angles.back() - angles.front()) / static_cast<double>(angles.size() - 1);
    }
};

Way way_of(const FanBeam& beam) {
    std::vector<double> turned(beam.angles.size());
    for (std::size_t i = 0; i < turned.size(); ++i) {
        const double angle = std::fmod(beam.angles[i], 2 * pi);
        turned[i] = angle < 0 ? angle + 2 * pi : angle;
        if (turned[i] > 2 * pi - same) turned[i] -= 2 * pi;
    }
    std::vector<std::size_t> order(turned.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return turned[i]; });
    const auto [repeated, end] = std::ranges::unique(
        order, [&](std::size_t a, std::size_t b) { return turned[b] - turned[a] < same; });
    order.erase(repeated, end);

    const std::size_t count = order.size();
    const auto gap_before = [&](std::size_t i) {
        return i > 0 ? turned[order[i]] - turned[order[i - 1]]
                     : turned[order[0]] - turned[order[count - 1]] + 2 * pi;
    };
    std::size_t begin = 0;
    for (std::size_t i = 1; i < count; ++i)
        if (gap_before(i) > gap_before(begin) + same) begin = i;
    const double gap = gap_before(begin);
    std::ranges::rotate(order, order.begin() + static_cast<std::ptrdiff_t>(begin));
    Way way{order, {}, false};
    for (const std::size_t i : order) way.angles.push_back(turned[i]);
    for (std::size_t i = 1; i < count; ++i)
        if (way.angles[i] < way.angles[i - 1]) way.angles[i] += 2 * pi;
    if (count < neighbours)
        refuse("The fan beam has " + std::to_string(count) + " different source angles; it needs " +
               std::to_string(neighbours) + ".");
    way.whole = gap < 1.5 * way.step();
    return way;
}

// Weights of the polynomial through the values at `nodes` at x.
Between lagrange(std::size_t first, const std::array<double, neighbours>& nodes, double x) {
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
        refuse("The source goes " +
               std::to_string((way.angles.back() - way.angles.front() + way.step()) * 180 / pi) +
               " degrees around; a short scan takes half a turn and the fan's angle, " +
               std::to_string((pi + most - least) * 180 / pi) + " degrees.");
    std::vector<double> angles;
    for (double angle = first; angle < last + 1e-9; angle += way.step()) angles.push_back(angle);
    return angles;
}

}  // namespace

Tables tables(const FanBeam& beam) {
    check(beam);
    const Way way = way_of(beam);
    const double pixel = beam.pitch / magnification(beam), center = center_of(beam);
    const double end = static_cast<double>(beam.detectors - 1);
    const auto s_of = [&](double at) {
        return beam.source_to_axis * std::sin(fan_angle(beam, at)) / pixel;
    };
    // Pixels that lie between the detector's first and last one.
    const double first = std::ceil(s_of(0) + center - 1e-9);
    const double last = std::floor(s_of(end) + center + 1e-9);
    Tables made{beam.detectors, way.order, {}, pixel, {}, {}};
    made.beam.detectors = static_cast<std::size_t>(last - first + 1);
    made.beam.center = center - first;
    std::vector<double> fan_angles;
    for (double i = first; i <= last; ++i) {
        fan_angles.push_back(std::asin((i - center) * pixel / beam.source_to_axis));
        made.across.push_back(
            between_pixels(detector_pixel(beam, fan_angles.back()), beam.detectors));
    }
    made.beam.angles = parallel_angles(way, fan_angles.front(), fan_angles.back());
    made.around.reserve(made.beam.angles.size() * fan_angles.size());
    for (const double angle : made.beam.angles)
        for (const double fan : fan_angles) made.around.push_back(between_angles(way, angle - fan));
    return made;
}

}  // namespace stend::tomo::fan
