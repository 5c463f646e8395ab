// How much each ray counts.
#include "tomo/cone/tables.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "tomo/checks.h"
#include "tomo/way.h"

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
    check_filter(filter);
    if (!(std::abs(grid.middle) <= most_number))
        refuse("The height of the volume's middle is " + in_words(grid.middle) + "; it must be " +
               in_words(-most_number) + " to " + in_words(most_number) + ".");
    check_angles(beam.angles);
    const double corner = static_cast<double>(grid.size) * grid.voxel / std::numbers::sqrt2;
    if (corner >= beam.source_to_axis)
        refuse("The slices reach " + in_words(corner) + " from the axis, and the source is " +
               in_words(beam.source_to_axis) + " away; it must be outside of them.");
}

// The rows may be a band of a detector's, which is far from the source's plane: as far as the
// largest detector is high, and so much more as the plane itself may be off that.
void check_center_row(double center) {
    constexpr double most = 2.0 * most_pixels;
    if (!(std::abs(center) < most))
        refuse("The source's circle projects to detector row " + in_words(center) +
               "; it must be " + in_words(-most) + " to " + in_words(most) + ".");
}

// On a whole turn, at a distance from the axis along the detector, the ray at -distance is the same
// from the other side: from where both are measured on to where one is, the sum of the two being
// one, w = (1 + sin πb/2) / 2 grows on the longer side and falls on the other, b from 0 to 1 over
// the outer part of what is common.
struct Common {
    double end;   // of what is measured from both sides, in pixels from the axis; a pixel's edge
    double over;  // its outer part
};

Common common_of(double before, double after) {
    const double end = std::max(0.0, std::min(before, after));
    return {end, std::min(end, 4 * (std::max(before, after) - end))};
}

// 2w - 1, summed up from the axis.
double excess(double distance, const Common& common) {
    const double inner = common.end - common.over, away = std::abs(distance);
    const double into = std::clamp(away - inner, 0.0, common.over);
    const double smooth = common.over > 0 ? 1 - std::cos(pi / 2 * into / common.over) : 0;
    return 2 * common.over / pi * smooth + std::max(0.0, away - common.end);
}

// w's mean over a pixel, for what is common may be less than one; `distance` towards the longer
// side.
double of_turn(double distance, const Common& common) {
    return (1 + excess(distance + 0.5, common) - excess(distance - 0.5, common)) / 2;
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
    check_center_row(center_row);
    const double magnified = beam.source_to_detector / beam.pitch;
    const auto fan = [&](double column) { return std::atan((column - center) / magnified); };
    const double end = static_cast<double>(beam.columns) - 1;
    const double left = fan(0), right = fan(end);
    const Way way = way_of(beam.angles);
    const double over = way.range() - pi, reach = std::max(-left, right);
    if (!way.whole && over < 2 * reach * 0.999)
        refuse("The source goes " + std::to_string(way.range() * 180 / pi) +
               " degrees around; a short scan takes half a turn and the fan's angle, " +
               std::to_string((pi + 2 * reach) * 180 / pi) + " degrees.");

    const double longer = std::max(center, end - center);
    const Common common = common_of(center + 0.5, end - center + 0.5);
    const double to_longer = end - center >= center ? 1 : -1;
    const auto before = static_cast<std::size_t>(way.whole ? std::ceil(longer - center) : 0);
    const auto after = static_cast<std::size_t>(way.whole ? std::ceil(longer - (end - center)) : 0);
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
    const std::vector<double> parts = way.parts();
    made.shares.reserve(beam.angles.size() * beam.columns);
    made.cosines.reserve(beam.columns * made.padded_rows());
    for (std::size_t i = 0; i < beam.angles.size(); ++i) {
        const double from_begin = way.angles[way.place[i]] - way.angles.front() + way.step() / 2;
        made.angles.push_back({std::cos(beam.angles[i]), std::sin(beam.angles[i])});
        for (std::size_t column = 0; column < beam.columns; ++column) {
            const double at = static_cast<double>(column);
            const double share = way.whole ? of_turn((at - center) * to_longer, common)
                                           : of_short_scan(from_begin, fan(at), over);
            made.shares.push_back(static_cast<float>(share * parts[i] * per_unit));
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
