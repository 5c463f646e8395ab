// Ellipsoids as quadratic forms, and the ellipses that planes cut out of them.
#pragma once

#include <array>
#include <span>
#include <stend/tomo/phantom.hpp>
#include <vector>

namespace stend::tomo::ellipsoids {

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;

// The points p with (p - m)ᵀ S⁻¹ (p - m) ≤ 1, in detector pixels.
struct Ellipse {
    double value;
    double x, y;        // m
    double xx, xy, yy;  // S
};

// An ellipsoid: the points p with (p - m)ᵀ M (p - m) ≤ 1, in detector pixels; p at `z` in the
// plane.
class Solid {
public:
    Solid(const Ellipsoid& ellipsoid, double unit);

    // Appends what the plane at this height cuts out, with its value times `weight`, unless that is
    // nothing.
    void cut(double z, double weight, std::vector<Ellipse>& to) const;

    double value() const { return value_; }
    const Vector& middle() const { return middle_; }
    const Matrix& form() const { return form_; }
    double radius() const { return radius_; }  // of a ball, or an endless cylinder, around it
    bool endless() const { return endless_; }  // upwards and downwards

private:
    double value_;
    double radius_;
    bool endless_;
    Vector middle_;
    Matrix form_;  // M

    // Of all cuts, from the plane through the middle: (S, how far its middle moves with z, and 1 /
    // the square of the height at which nothing is left).
    double xx_, xy_, yy_;
    double move_x_, move_y_;
    double fall_;
};

// Checked. Throws std::invalid_argument, with a sentence, for what is no ellipsoid.
std::vector<Solid> solids(std::span<const Ellipsoid> phantom, double unit);

}  // namespace stend::tomo::ellipsoids
