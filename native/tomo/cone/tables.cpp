// How much each ray counts.
#include "tomo/cone/tables.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "tomo/checks.h"

namespace stend::tomo::cone {
namespace {

using std::numbers::pi;

void check(const ConeBeam& beam, const VolumeGrid& grid, const Filter& filter) {
    check_count("The number of detector columns", beam.columns);
    check_count("The number of detector rows", beam.rows);
    check_count("The size of a slice", grid.size);
    check_count("The number of slices", grid.slices);
    check_positive("The distance from source to axis", beam.source_to_axis);
    check_positive("The distance from source to detector", beam.source_to_detector);
    check_positive("The pitch of detector pixels", beam.pitch);
    check_positive("The side of a voxel", grid.voxel);
    check_positive("The filter's cutoff", filter.cutoff);
    if (filter.cutoff > 1)
        refuse("The filter's cutoff is " + std::to_string(filter.cutoff) +
               "; it must be at most 1, the whole band.");
    if (!std::isfinite(grid.middle)) refuse("The height of the volume's middle is not a number.");
    if (beam.angles.empty()) refuse("There are no angles.");
    for (std::size_t i = 0; i < beam.angles.size(); ++i)
        if (!std::isfinite(beam.angles[i]))
            refuse("Angle " + std::to_string(i) + " is not a finite number.");
    const double corner = static_cast<double>(grid.size) * grid.voxel / std::numbers::sqrt2;
    if (corner >= beam.source_to_axis)
        refuse("The slices reach " + std::to_string(corner) + " from the axis, and the source is " +
               std::to_string(beam.source_to_axis) + " away; it must be outside of them.");
}

// Each angle's part of the turn: what is nearer to it than to any other, in a turn or in the range
// that the source goes over.
struct Shares {
    std::vector<double> of_angles;
    double first, range;  // of the range; a whole turn's is 2π
};

// A half of angle_weights(θ/2): its circle modulo π is the turn.
Shares whole_turn(const std::vector<double>& angles) {
    std::vector<double> halves(angles.size());
    std::ranges::transform(angles, halves.begin(), [](double angle) { return angle / 2; });
    std::vector<double> shares = angle_weights(halves);
    for (double& share : shares) share *= 2;
    return {shares, 0, 2 * pi};
}

Shares shares_of(const std::vector<double>& angles) {
    std::vector<double> sorted = angles;
    std::ranges::sort(sorted);
    const double span = sorted.back() - sorted.front();
    const double step = span / std::max(1.0, static_cast<double>(angles.size()) - 1);
    if (span + 1.5 * step > 2 * pi) return whole_turn(angles);
    std::vector<double> shares;
    for (const double angle : angles) {
        const auto at = std::ranges::equal_range(sorted, angle);
        const double before = at.begin() == sorted.begin() ? angle - step : at.begin()[-1];
        const double after = at.end() == sorted.end() ? angle + step : *at.end();
        shares.push_back((after - before) / 2 / static_cast<double>(at.size()));
    }
    return {shares, sorted.front() - step / 2, span + step};
}

// On a whole turn: a half where the ray is also measured from the other side; from where the
// detector ends on one side on to there, from nothing to all.
double of_turn(double fan, double left, double right) {
    const double common = std::min(-left, right), more = std::max(-left, right) - common;
    const double over = std::min(common, 4 * more);
    if (over <= 0) return 0.5;
    const double beyond = std::clamp((std::abs(fan) - (common - over)) / over, 0.0, 1.0);
    const double side = (fan > 0) == (right > -left) ? 1 : -1;
    return 0.5 * (1 + side * std::sin(pi / 2 * beyond));
}

// On a short scan (Parker 1982, equation 12), `angle` from where it begins.
double of_short_scan(double angle, double fan, double over) {
    const double half = over / 2;
    const auto rising = [](double part) {
        const double sine = std::sin(pi / 2 * std::clamp(part, 0.0, 1.0));
        return sine * sine;
    };
    if (angle < 2 * (half - fan)) return rising(angle / (2 * (half - fan)));
    if (angle > pi - 2 * fan) return rising((pi + over - angle) / (2 * (half + fan)));
    return 1;
}

}  // namespace

Tables tables(const ConeBeam& beam, const VolumeGrid& grid, const Filter& filter) {
    check(beam, grid, filter);
    const auto middle = [](std::size_t count) { return (static_cast<double>(count) - 1) / 2; };
    const double center = beam.center_column.value_or(middle(beam.columns));
    const double center_row = beam.center_row.value_or(middle(beam.rows));
    check_center("The axis", center, beam.columns);
    check_center("The source's circle", center_row, beam.rows);
    const double magnified = beam.source_to_detector / beam.pitch;
    const auto fan = [&](double column) { return std::atan((column - center) / magnified); };
    const double end = static_cast<double>(beam.columns) - 1;
    const double left = fan(0), right = fan(end);
    const Shares shares = shares_of(beam.angles);
    const bool whole = shares.range == 2 * pi;
    const double over = shares.range - pi, reach = std::max(-left, right);
    if (!whole && over < 2 * reach * 0.999)
        refuse("The source goes " + std::to_string(shares.range * 180 / pi) +
               " degrees around; a short scan takes half a turn and the fan's angle, " +
               std::to_string((pi + 2 * reach) * 180 / pi) + " degrees.");

    const double longer = std::max(center, end - center);
    const auto before = static_cast<std::size_t>(whole ? std::ceil(longer - center) : 0);
    const auto after = static_cast<std::size_t>(whole ? std::ceil(longer - (end - center)) : 0);
    const std::size_t columns = before + beam.columns + after;
    const double center_column = center + static_cast<double>(before);
    const Plan plan{columns, {0}, {1}, center_column, grid.size, 1, filter, 1};
    Tables made{.columns = columns,
                .before = before,
                .measured = beam.columns,
                .rows = beam.rows,
                .center_column = center_column,
                .center_row = center_row,
                .source_to_axis = beam.source_to_axis,
                .magnified = magnified,
                .grid = grid,
                .angles = {},
                .shares = {},
                .cosines = {},
                .ramp = RampFilter(plan)};
    // Attenuation per pixel as seen at the axis to attenuation per unit of length.
    const double per_unit = magnified / beam.source_to_axis;
    for (std::size_t i = 0; i < beam.angles.size(); ++i) {
        made.angles.push_back({std::cos(beam.angles[i]), std::sin(beam.angles[i])});
        for (std::size_t column = 0; column < beam.columns; ++column) {
            const double at = fan(static_cast<double>(column));
            const double share = whole ? of_turn(at, left, right)
                                       : of_short_scan(beam.angles[i] - shares.first, at, over);
            made.shares.push_back(static_cast<float>(share * shares.of_angles[i] * per_unit));
        }
    }
    for (std::size_t column = 0; column < beam.columns; ++column)
        for (std::size_t row = 0; row < made.padded_rows(); ++row) {
            const double u = static_cast<double>(column) - center;
            const double v = static_cast<double>(row) - center_row;
            made.cosines.push_back(
                static_cast<float>(magnified / std::hypot(magnified, std::hypot(u, v))));
        }
    return made;
}

}  // namespace stend::tomo::cone
