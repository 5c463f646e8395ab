// Line integrals by rays from a point: along a detector row, what a ray meets of an ellipsoid is a
// root of one quadratic form in its direction over another.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "isa/variant.h"
#include "tomo/checks.h"
#include "tomo/phantom/variants.h"
#include "tomo/phantom/view.h"
#include "tomo/share.h"
#include "tomo/views.h"

namespace stend::tomo {
namespace {

using namespace ellipsoids;

using std::numbers::pi;
using Shape = DivergentBeam::Shape;

// Axes of a projection: from the source to the axis of rotation, along detector rows, upwards.
using Axes = std::array<Vector, 3>;

double dot(const Vector& a, const Vector& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Vector product(const Matrix& m, const Vector& a) {
    return {dot(m[0], a), dot(m[1], a), dot(m[2], a)};
}

// Directions of the rays to a detector row, by pixel.
class RayTable {
public:
    RayTable(const DivergentBeam& beam, Footprint footprint)
        : beam_(beam),
          center_(beam.center.value_or((static_cast<double>(beam.detectors) - 1) / 2)) {
        check_center("The ray through the axis", center_, beam.detectors);
        check_positive("The distance from the source to the axis", beam.source);
        if (curved()) check_arc(center_, beam.detectors, beam.source);
        places_ = footprint == Footprint::point ? even_places(1) : gauss_places();
        for (const auto& [offset, weight] : places_) tabulate(offset);
    }

    bool curved() const { return beam_.shape == Shape::curved_fans; }
    const Places& places() const { return places_; }  // in a pixel's width
    const double* x(std::size_t place) const { return &x_[place * beam_.detectors]; }
    const double* y(std::size_t place) const { return &y_[place * beam_.detectors]; }

    // The phantom's unit when all that every ray sees is to be in it.
    double field() const {
        const double half = static_cast<double>(beam_.detectors) / 2 / beam_.source;
        return beam_.source * std::sin(curved() ? half : std::atan(half));
    }

    // The pixel, and its fraction, of the ray at the fan angle γ.
    double pixel(double angle) const {
        if (std::abs(angle) >= pi / 2)
            return std::copysign(std::numeric_limits<double>::infinity(), angle);
        return center_ + beam_.source * (curved() ? angle : std::tan(angle));
    }

private:
    void tabulate(double offset) {
        for (std::size_t i = 0; i < beam_.detectors; ++i) {
            const double along = static_cast<double>(i) + offset - center_;
            const double angle = along / beam_.source;
            x_.push_back(curved() ? beam_.source * std::cos(angle) : beam_.source);
            y_.push_back(curved() ? beam_.source * std::sin(angle) : along);
        }
    }

    const DivergentBeam& beam_;
    double center_;
    Places places_;
    std::vector<double> x_, y_;  // [place][pixel]: directions of rays
};

// Where the source is and how far rays rise on their way to the axis.
struct Plane {
    double source, rise;
};

// The quadratic form with this matrix, of directions (x, y, rise).
chords::Form form(const Matrix& m, double rise) {
    return {m[0][0],
            2 * m[0][1],
            m[1][1],
            2 * rise * m[0][2],
            2 * rise * m[1][2],
            rise * rise * m[2][2]};
}

// An ellipsoid as seen from the source.
class View {
public:
    View(const Solid& solid, const Axes& axes, double source, double height)
        : solid_(solid), axes_(axes) {
        const Vector at{-source * axes[0][0], -source * axes[0][1], height};
        for (int i = 0; i < 3; ++i) from_[i] = at[i] - solid.middle()[i];
        for (int i = 0; i < 3; ++i) away_[i] = -dot(from_, axes[i]);
    }

    // Whether rays that rise like this, in one plane with the source, pass above or below it.
    bool missed(double source, double rise) const {
        const double distance = (away_[2] * source - away_[0] * rise) / std::hypot(source, rise);
        return !solid_.endless() && std::abs(distance) >= solid_.radius();
    }

    chords::Rays rays(const Plane& plane, double weight) const {
        Matrix steep, reach;
        Vector slope;
        for (int i = 0; i < 3; ++i) {
            const Vector turned = product(solid_.form(), axes_[i]);
            for (int j = 0; j < 3; ++j) steep[i][j] = dot(turned, axes_[j]);
            slope[i] = dot(turned, from_);
        }
        const double inside = dot(from_, product(solid_.form(), from_)) - 1;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) reach[i][j] = slope[i] * slope[j] - inside * steep[i][j];
        return {.value = 2 * weight * solid_.value(),
                .reach = form(reach, plane.rise),
                .steep = form(steep, plane.rise),
                .x = nullptr,
                .y = nullptr,
                .length = nullptr,
                .first = 0,
                .last = 0};
    }

    // Pixels between the fan angles that touch a circle around it.
    std::pair<double, double> pixels(const RayTable& table) const {
        const double middle = std::atan2(away_[1], away_[0]);
        const double half = std::asin(solid_.radius() / std::hypot(away_[0], away_[1]));
        return {table.pixel(middle - half), table.pixel(middle + half)};
    }

private:
    const Solid& solid_;
    const Axes& axes_;
    Vector from_;  // the ellipsoid's middle to the source
    Vector away_;  // back, along the projection's axes
};

// The whole turn of the source lies outside of everything.
void check_source(const std::vector<Solid>& solids, double source) {
    for (std::size_t i = 0; i < solids.size(); ++i) {
        const Solid& solid = solids[i];
        const double reach = std::hypot(solid.middle()[0], solid.middle()[1]) + solid.radius();
        if (reach >= source)
            refuse("Ellipsoid " + std::to_string(i) + " may reach " + in_words(reach) +
                   " detector pixels from the axis, as far as the source, which is " +
                   in_words(source) + " from it.");
    }
}

struct Member {
    std::vector<double> row, length;
};

class Projection {
public:
    Projection(std::span<const Ellipsoid> phantom, const DivergentBeam& beam,
               const PhantomView& view, std::size_t first, std::size_t last)
        : beam_(beam),
          table_(beam, view.footprint),
          rows_(phantom, view, view.unit.value_or(table_.field()), even_places(1), first, last),
          heights_(view.footprint == Footprint::area ? gauss_places() : even_places(1)),
          directions_(directions(beam.angles)),
          variant_(chosen(chords::variants(), view.variant)) {
        check_source(rows_.all(), beam.source);
    }

    std::size_t angles() const { return directions_.size(); }

    void line(Member& mine, std::size_t row, std::size_t angle, float* out) const {
        std::ranges::fill(mine.row, 0.0);
        for (const auto& [up, weight] : heights_) {
            const double height = rows_.height(row) + up;
            const bool cone = beam_.shape == Shape::cone;
            add(mine, {cone ? 0 : height, cone ? height : 0}, directions_[angle], weight);
        }
        std::ranges::transform(mine.row, out, [](double sum) { return static_cast<float>(sum); });
    }

private:
    void add(Member& mine, const Plane& plane, const Direction& direction, double weight) const {
        const Axes axes{{{direction.sine, -direction.cosine, 0},
                         {direction.cosine, direction.sine, 0},
                         {0, 0, 1}}};
        const double end = static_cast<double>(beam_.detectors);
        for (std::size_t place = 0; place < table_.places().size(); ++place) {
            const double *x = table_.x(place), *y = table_.y(place);
            for (std::size_t i = 0; i < beam_.detectors; ++i)
                mine.length[i] = std::sqrt(x[i] * x[i] + y[i] * y[i] + plane.rise * plane.rise);
            for (const Solid& solid : rows_.all()) {
                const View seen(solid, axes, beam_.source, plane.source);
                if (seen.missed(beam_.source, plane.rise)) continue;
                const auto [lowest, highest] = seen.pixels(table_);
                chords::Rays rays = seen.rays(plane, weight * table_.places()[place].second);
                rays.x = x;
                rays.y = y;
                rays.length = mine.length.data();
                // A place is at most half a pixel off its pixel's middle.
                rays.first = static_cast<std::size_t>(std::clamp(lowest - 0.5, 0.0, end));
                rays.last = static_cast<std::size_t>(std::clamp(highest + 1.5, 0.0, end));
                variant_.rays(rays, mine.row.data());
            }
        }
    }

    const DivergentBeam& beam_;
    RayTable table_;
    Rows rows_;
    Places heights_;
    std::vector<Direction> directions_;
    const chords::Variant& variant_;
};

}  // namespace

void project(std::span<const Ellipsoid> phantom, const DivergentBeam& beam, const PhantomView& view,
             std::size_t first, std::size_t last, const LineIntegrals& to) {
    check_count("The number of detector pixels", beam.detectors);
    const Projection projection(phantom, beam, view, first, last);
    check_written("The line integrals", {to.data, last - first, projection.angles(), beam.detectors,
                                         to.row_stride, to.angle_stride});
    std::vector<Member> members(view.threads);
    for (Member& member : members) {
        member.row.resize(beam.detectors);
        member.length.resize(beam.detectors);
    }
    Team team(Unbound{}, view.threads);
    share_each(team, (last - first) * projection.angles(), [&](std::size_t item, unsigned member) {
        const std::size_t row = item / projection.angles(), angle = item % projection.angles();
        projection.line(members[member], first + row, angle,
                        to.data + static_cast<std::ptrdiff_t>(row) * to.row_stride +
                            static_cast<std::ptrdiff_t>(angle) * to.angle_stride);
    });
}

}  // namespace stend::tomo
