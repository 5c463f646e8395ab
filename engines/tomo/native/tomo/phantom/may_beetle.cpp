// A beetle, head up and back to +y, made up for this library: of the size and the sort of detail of
// the may-beetle (Melolontha) that others scanned, and nobody's data. Shells lie in shells; tissue
// that overlaps adds; air (negative values) lies only within what is heavier.
#include <cmath>
#include <numbers>

#include "tomo/phantom/named.h"

namespace stend::tomo {
namespace {

using std::numbers::pi;

struct Point {
    double x, y, z;
};

Point between(const Point& a, const Point& b, double share) {
    return {a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share, a.z + (b.z - a.z) * share};
}

// Numbers in [0, 1) that fill it evenly: multiples of the powers of the root of x⁴ = x + 1, modulo
// 1 (Roberts' generalisation of the golden ratio), one sequence a dimension.
double even(int index, int dimension) {
    const double share = 0.5 + index * std::pow(1.2207440846057596, -(dimension + 1));
    return share - std::floor(share);
}

class Beetle {
public:
    void body();
    void organs();
    void limbs();
    void surface();
    std::vector<Ellipsoid> take() { return std::move(all_); }

private:
    void add(double value, const Point& semi, const Point& at) {
        all_.push_back({value, semi.x, semi.y, semi.z, at.x, at.y, at.z, 0, 0, 0});
    }

    // Cuticle around tissue.
    void shell(double cuticle, double tissue, double thickness, const Point& semi,
               const Point& at) {
        add(cuticle, semi, at);
        add(tissue - cuticle, {semi.x - thickness, semi.y - thickness, semi.z - thickness}, at);
    }

    // From one point to another.
    void rod(double value, double radius, const Point& from, const Point& to) {
        const Point way{to.x - from.x, to.y - from.y, to.z - from.z};
        const double length = std::hypot(way.x, way.y, way.z);
        const Point at = between(from, to, 0.5);
        all_.push_back({value, radius, radius, length / 2, at.x, at.y, at.z,
                        std::atan2(way.x, -way.y), std::acos(way.z / length), 0});
    }

    void tube(double wall, double inside, double radius, const Point& from, const Point& to) {
        rod(wall, radius, from, to);
        rod(inside - wall, 0.7 * radius, between(from, to, 0.04), between(from, to, 0.96));
    }

    void leg(double side, const Point& hip);
    void antenna(double side);

    std::vector<Ellipsoid> all_;
};

constexpr double blood = 0.25;  // what fills the shells

void Beetle::body() {
    shell(0.6, 0, 0.015, {0.54, 0.44, 0.66}, {0, 0.04, -0.33});   // elytra, over air
    shell(0.7, blood, 0.012, {0.46, 0.36, 0.60}, {0, 0, -0.33});  // abdomen
    shell(0.8, blood, 0.020, {0.40, 0.32, 0.19}, {0, 0, 0.53});   // thorax
    shell(0.9, blood, 0.018, {0.24, 0.20, 0.13}, {0, 0, 0.85});   // head
    for (const double side : {-1.0, 1.0})
        shell(0.5, 0.3, 0.006, {0.045, 0.045, 0.045}, {side * 0.285, 0.02, 0.85});  // eyes
}

void Beetle::organs() {
    Point last{0, 0.02, 0.14};
    for (int i = 1; i <= 6; ++i) {  // the gut, winding down
        const Point next{0.10 * std::sin(1.9 * i), 0.02 + 0.06 * std::cos(2.3 * i),
                         0.14 - 0.155 * i};
        tube(0.15, -0.1, 0.035 + 0.01 * (i % 3), last, next);
        last = next;
    }
    for (int i = 0; i < 12; ++i) {  // fat
        const double angle = 2 * pi * even(i, 0), out = 0.10 + 0.16 * even(i, 1);
        add(0.06, {0.03 + 0.04 * even(i, 2), 0.04, 0.06},
            {out * std::cos(angle), 0.8 * out * std::sin(angle), -0.05 - 0.55 * even(i, 3)});
    }
    for (int i = 0; i < 12; ++i) {  // tracheae, full of air
        const double angle = pi / 6 * i, c = std::cos(angle), s = std::sin(angle);
        rod(-0.2, 0.003 + 0.001 * (i % 6), {0.37 * c, 0.28 * s, -0.15},
            {0.33 * c, 0.25 * s, -0.55});
    }
    for (int i = 0; i < 10; ++i)  // eggs
        add(0.2, {0.018, 0.018, 0.03},
            {0.12 * std::cos(0.2 * pi * i), -0.16, -0.5 + 0.05 * (i % 5)});
    for (int i = 0; i < 8; ++i)  // muscles of the wings
        add(0.12, {0.028, 0.10, 0.12}, {-0.245 + 0.07 * i, 0.02, 0.53});
    for (const double side : {-1.0, 1.0}) add(0.1, {0.06, 0.05, 0.05}, {side * 0.07, 0.02, 0.85});
}

void Beetle::leg(double side, const Point& hip) {
    const Point knee{side * 0.72, hip.y - 0.10, hip.z + 0.12};
    const Point ankle{side * 0.70, hip.y - 0.20, hip.z - 0.16};
    const Point claw{side * 0.64, hip.y - 0.26, hip.z - 0.40};
    tube(0.5, 0.2, 0.045, {side * hip.x, hip.y, hip.z}, knee);
    tube(0.5, 0.2, 0.028, knee, ankle);
    for (int i = 0; i < 3; ++i)
        rod(0.5, 0.014 - 0.002 * i, between(ankle, claw, i / 3.0),
            between(ankle, claw, (i + 1) / 3.0));
}

void Beetle::antenna(double side) {
    const Point joint{side * 0.30, -0.20, 0.97};
    rod(0.5, 0.012, {side * 0.12, -0.12, 0.94}, joint);
    for (int i = 0; i < 7; ++i) {  // the fan
        const double angle = -0.9 + 0.2 * i;
        rod(0.4, 0.006, joint,
            {joint.x + side * 0.16 * std::cos(angle), joint.y - 0.01 * i,
             joint.z + 0.16 * std::sin(angle)});
    }
}

void Beetle::limbs() {
    for (const double side : {-1.0, 1.0}) {
        leg(side, {0.34, -0.24, 0.50});
        leg(side, {0.46, -0.30, 0.10});
        leg(side, {0.48, -0.30, -0.35});
        antenna(side);
    }
}

void Beetle::surface() {
    for (int i = 0; i < 9; ++i) {  // ridges along the elytra
        const double angle = pi / 10 * (i + 1), x = 0.54 * std::cos(angle),
                     y = 0.04 + 0.44 * std::sin(angle);
        rod(0.3, 0.006, {x, y, -0.13}, {x, y, -0.53});
    }
    for (int i = 0; i < 6; ++i) {  // hairs of a pixel or two of 1175
        const double x = -0.25 + 0.1 * i;
        rod(0.5, 0.0015 + 0.0005 * i, {x, -0.40, -0.2}, {1.3 * x, -0.55, -0.25});
    }
    for (int i = 0; i < 8; ++i) {  // grains of sand, the smallest below a pixel
        const double radius = 0.0008 * std::pow(1.4, i);
        add(0.9, {radius, radius, radius},
            {-0.4 + 0.8 * even(i, 0), -0.7 + 0.1 * even(i, 1), -0.8 + 1.2 * even(i, 2)});
    }
}

}  // namespace

std::vector<Ellipsoid> may_beetle() {
    Beetle beetle;
    beetle.body();
    beetle.organs();
    beetle.limbs();
    beetle.surface();
    return beetle.take();
}

}  // namespace stend::tomo
