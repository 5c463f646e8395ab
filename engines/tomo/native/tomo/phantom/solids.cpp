// The algebra of ellipsoids.
#include "tomo/phantom/solids.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "tomo/checks.h"

namespace stend::tomo::ellipsoids {
namespace {

// Of a quadratic form, which has its square, double precision leaves four digits.
constexpr double most_slender = 1e6;

void check(const Ellipsoid& e, std::size_t index) {
    const std::string which = "Ellipsoid " + std::to_string(index);
    for (const double number : {e.value, e.x, e.y, e.z, e.phi, e.theta, e.psi})
        if (!(std::abs(number) <= most_number))
            refuse(which + " has an entry of " + in_words(number) + "; it must be a number up to " +
                   in_words(most_number) + ".");
    if (e.value != 0 && std::abs(e.value) < least_number)
        refuse(which + " has the value " + in_words(e.value) + "; it must be 0 or at least " +
               in_words(least_number) + ".");
    const bool endless = std::isinf(e.c) && e.c > 0, tilted = e.theta != 0;
    for (const double length : {e.a, e.b, endless ? e.a : e.c})
        if (!(length >= least_number && length <= most_number))
            refuse(which + " has a semi-axis of " + in_words(length) + "; it must be " +
                   in_words(least_number) + " to " + in_words(most_number) + ".");
    if (endless && tilted)
        refuse(which + " is an infinite cylinder that is tilted by theta = " + in_words(e.theta) +
               "; it must stand upright, theta = 0.");
    const auto [thin, wide] = std::minmax({e.a, e.b, tilted ? e.c : e.a});
    if (wide > most_slender * thin)
        refuse(which + " is " + in_words(wide / thin) +
               " times as long as it is thick; it must be at most " + in_words(most_slender) + ".");
}

// Rows are the ellipsoid's own axes, seen from outside (Goldstein, Classical Mechanics, 4.46).
Matrix axes(const Ellipsoid& e) {
    const double cf = std::cos(e.phi), sf = std::sin(e.phi), ct = std::cos(e.theta),
                 st = std::sin(e.theta), cp = std::cos(e.psi), sp = std::sin(e.psi);
    return {{{cp * cf - ct * sf * sp, cp * sf + ct * cf * sp, sp * st},
             {-sp * cf - ct * sf * cp, -sp * sf + ct * cf * cp, cp * st},
             {st * sf, -st * cf, ct}}};
}

}  // namespace

Solid::Solid(const Ellipsoid& e, double unit)
    : value_(e.value),
      radius_(unit * std::max({e.a, e.b, std::isinf(e.c) ? 0 : e.c})),
      endless_(std::isinf(e.c)),
      middle_{e.x * unit, e.y * unit, e.z * unit},
      form_{} {
    const Matrix turned = axes(e);
    const double semi[3] = {e.a * unit, e.b * unit, e.c * unit};
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                form_[i][j] += turned[k][i] * turned[k][j] / (semi[k] * semi[k]);

    const auto& m = form_;
    const double determinant = m[0][0] * m[1][1] - m[0][1] * m[0][1];
    xx_ = m[1][1] / determinant;
    yy_ = m[0][0] / determinant;
    xy_ = -m[0][1] / determinant;
    move_x_ = -(xx_ * m[0][2] + xy_ * m[1][2]);
    move_y_ = -(xy_ * m[0][2] + yy_ * m[1][2]);
    fall_ = m[2][2] + m[0][2] * move_x_ + m[1][2] * move_y_;
}

void Solid::cut(double z, double weight, std::vector<Ellipse>& to) const {
    const double up = z - middle_[2];
    const double left = 1 - up * up * fall_;
    if (!(left > 0)) return;
    to.push_back({value_ * weight, middle_[0] + move_x_ * up, middle_[1] + move_y_ * up, xx_ * left,
                  xy_ * left, yy_ * left});
}

std::vector<Solid> solids(std::span<const Ellipsoid> phantom, double unit) {
    std::vector<Solid> all;
    all.reserve(phantom.size());
    for (std::size_t i = 0; i < phantom.size(); ++i) {
        check(phantom[i], i);
        all.emplace_back(phantom[i], unit);
    }
    return all;
}

}  // namespace stend::tomo::ellipsoids
