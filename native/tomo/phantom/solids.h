// Ellipsoids as quadratic forms, and the ellipses that planes cut out of them.
#pragma once

#include <span>
#include <stend/tomo/phantom.hpp>
#include <vector>

namespace stend::tomo {

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
    const double (&middle() const)[3] { return middle_; }
    const double (&form() const)[3][3] { return form_; }

private:
    double value_;
    double middle_[3];
    double form_[3][3];  // M

    // Of all cuts, from the plane through the middle: (S, how far its middle moves with z, and 1 /
    // the square of the height at which nothing is left).
    double xx_, xy_, yy_;
    double move_x_, move_y_;
    double fall_;
};

// Checked. Throws std::invalid_argument, with a sentence, for what is no ellipsoid.
std::vector<Solid> solids(std::span<const Ellipsoid> phantom, double unit);

}  // namespace stend::tomo
