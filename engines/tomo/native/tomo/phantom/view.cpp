// Rows of detectors and slices, and the planes that stand for them.
#include "tomo/phantom/view.h"

#include <cmath>
#include <string>

#include "tomo/checks.h"

namespace stend::tomo::ellipsoids {

Places gauss_places() {
    // Abramowitz and Stegun 25.4.30, table 25.4, n = 4, on an interval of length 1.
    constexpr double near = 0.339981043584856264803, far = 0.861136311594052575224;
    constexpr double heavy = 0.652145154862546142627, light = 0.347854845137453857373;
    return {
        {-far / 2, light / 2}, {-near / 2, heavy / 2}, {near / 2, heavy / 2}, {far / 2, light / 2}};
}

Places even_places(unsigned count) {
    Places all;
    for (unsigned i = 0; i < count; ++i) all.emplace_back((i + 0.5) / count - 0.5, 1.0 / count);
    return all;
}

double unit_of(const PhantomView& view, std::size_t detectors) {
    return view.unit.value_or(static_cast<double>(detectors) / 2);
}

std::vector<Direction> directions(std::span<const double> angles) {
    check_angles(angles);
    std::vector<Direction> all;
    for (const double angle : angles) all.push_back({std::cos(angle), std::sin(angle)});
    return all;
}

Rows::Rows(std::span<const Ellipsoid> phantom, const PhantomView& view, double unit, Places planes,
           std::size_t first, std::size_t last)
    : solids_(
          (check_positive("The phantom's unit in detector pixels", unit), solids(phantom, unit))),
      planes_(std::move(planes)),
      middle_(view.middle.value_or((static_cast<double>(view.rows) - 1) / 2)) {
    check_count("The number of rows", view.rows);
    check_threads(view.threads);
    double largest = 0;
    for (const Solid& solid : solids_) largest += std::abs(solid.value());
    if (largest > 0) scale_ = std::ldexp(1, 60) / largest;
    if (!(std::abs(middle_) <= most_number))
        refuse("The row of z = 0 is " + in_words(middle_) + "; it must be " +
               in_words(-most_number) + " to " + in_words(most_number) + ".");
    if (first > last || last > view.rows)
        refuse("There are no rows " + std::to_string(first) + " up to " + std::to_string(last) +
               " of " + std::to_string(view.rows) + ".");
}

void Rows::cut(std::size_t row, std::vector<Ellipse>& to) const {
    to.clear();
    for (const auto& [offset, weight] : planes_)
        for (const Solid& solid : solids_) solid.cut(height(row) + offset, weight, to);
}

}  // namespace stend::tomo::ellipsoids
