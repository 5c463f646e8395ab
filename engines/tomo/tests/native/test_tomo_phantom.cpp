// Phantoms: line integrals and pictures equal what sampling finds, by every variant, on any number
// of threads.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <stend/tomo.hpp>

#include "check.h"

using namespace stend::tomo;
using std::numbers::pi;

namespace {

using Rows = std::vector<float>;  // [row][angle][pixel]

template <typename Beam = ParallelBeam>
Rows projected(std::span<const Ellipsoid> phantom, const Beam& beam, const PhantomView& view,
               std::size_t first, std::size_t last) {
    const std::size_t row = beam.angles.size() * beam.detectors;
    Rows rows((last - first) * row);
    project(phantom, beam, view, first, last,
            {rows.data(), static_cast<std::ptrdiff_t>(row),
             static_cast<std::ptrdiff_t>(beam.detectors)});
    return rows;
}

std::vector<float> drawn(std::span<const Ellipsoid> phantom, std::size_t size,
                         const PhantomView& view, const Fineness& fineness, std::size_t first,
                         std::size_t last) {
    std::vector<float> slices((last - first) * size * size);
    draw(phantom, size, {size}, view, fineness, first, last,
         {slices.data(), static_cast<std::ptrdiff_t>(size * size),
          static_cast<std::ptrdiff_t>(size)});
    return slices;
}

// The attenuation at a point, by the definition of an ellipsoid: turned back about its middle by
// three plain rotations.
double attenuation(std::span<const Ellipsoid> phantom, double x, double y, double z) {
    const auto turn = [](double& p, double& q, double angle) {
        const double p0 = p, q0 = q;
        p = p0 * std::cos(angle) + q0 * std::sin(angle);
        q = -p0 * std::sin(angle) + q0 * std::cos(angle);
    };
    double sum = 0;
    for (const Ellipsoid& e : phantom) {
        double u = x - e.x, v = y - e.y, w = z - e.z;
        turn(u, v, e.phi);
        turn(v, w, e.theta);
        turn(u, v, e.psi);
        if (u * u / (e.a * e.a) + v * v / (e.b * e.b) + w * w / (e.c * e.c) <= 1) sum += e.value;
    }
    return sum;
}

const std::vector<Ellipsoid> tilted{{1, .5, .7, .6, .1, -.05, .1, .3, .5, -.8},
                                    {-.4, .2, .35, .3, -.1, .1, 0, 1.1, -.4, .2},
                                    {.5, .1, .06, .25, .3, .3, .2, -.7, 1.3, .4}};

// By the midpoint rule along the ray, whose error is a few steps' share of what it crosses.
void a_ray_adds_up_what_it_crosses() {
    const ParallelBeam beam{40, {0.3, 1.9, -2.5}, 18.7};
    const PhantomView view{.rows = 15, .unit = 17.5, .middle = 6.2, .footprint = Footprint::point};
    const Rows rows = projected(tilted, beam, view, 0, 15);
    constexpr int steps = 5000;
    for (std::size_t row = 1; row < 15; row += 3)
        for (std::size_t angle = 0; angle < 3; ++angle)
            for (std::size_t i = 3; i < 40; i += 5) {
                const double c = std::cos(beam.angles[angle]), s = std::sin(beam.angles[angle]);
                const double across = (static_cast<double>(i) - 18.7) / 17.5;
                const double z = (6.2 - static_cast<double>(row)) / 17.5;
                double sum = 0;
                for (int k = 0; k < steps; ++k) {
                    const double along = 4.0 * (k + 0.5) / steps - 2;
                    sum += attenuation(tilted, across * c - along * s, across * s + along * c, z);
                }
                const double found = rows[(row * 3 + angle) * 40 + i];
                CHECK(std::abs(found - sum * 4 / steps * 17.5) < 6 * 4.0 / steps * 17.5);
            }
}

using Shape = DivergentBeam::Shape;

// From the source to where the ray meets the detector, moved to the axis, and as far again.
void a_ray_from_a_point_adds_up_what_it_crosses() {
    constexpr double source = 60, unit = 17.5, center = 18.7, middle = 6.2;
    const PhantomView view{
        .rows = 15, .unit = unit, .middle = middle, .footprint = Footprint::point};
    const std::vector<double> angles{0.3, 1.9, -2.5};
    for (const Shape shape : {Shape::fans, Shape::curved_fans, Shape::cone}) {
        const Rows rows =
            projected(tilted, DivergentBeam{shape, 40, angles, source, center}, view, 0, 15);
        double most = 0;
        for (std::size_t row = 1; row < 15; row += 4)
            for (std::size_t angle = 0; angle < 3; ++angle)
                for (std::size_t i = 4; i < 40; i += 7) {
                    const double c = std::cos(angles[angle]), s = std::sin(angles[angle]);
                    const double along = static_cast<double>(i) - center;
                    const double fan =
                        shape == Shape::curved_fans ? along / source : std::atan(along / source);
                    const double height = middle - static_cast<double>(row);
                    const double rise = shape == Shape::cone ? height : 0, start = height - rise;
                    // In the plane, a ray leaves along (sin β, -cos β) turned by the fan angle.
                    const double dx = std::sin(angles[angle] + fan),
                                 dy = -std::cos(angles[angle] + fan);
                    const double to_axis = source / std::cos(fan);
                    const double length = 2 * std::hypot(to_axis, rise);
                    constexpr int steps = 5000;
                    double sum = 0;
                    for (int k = 0; k < steps; ++k) {
                        const double share = 2 * (k + 0.5) / steps;
                        sum += attenuation(tilted, (-source * s + share * to_axis * dx) / unit,
                                           (source * c + share * to_axis * dy) / unit,
                                           (start + share * rise) / unit);
                    }
                    const double found = rows[(row * 3 + angle) * 40 + i];
                    CHECK(std::abs(found - sum / steps * length) < 6 * length / steps);
                    most = std::max(most, found);
                }
        CHECK(most > 10);
    }
}

void far_sources_rays_are_parallel() {
    const std::vector<double> angles{0.3, 1.9, -2.5};
    for (const Footprint footprint : {Footprint::point, Footprint::width, Footprint::area}) {
        const PhantomView view{.rows = 30, .unit = 15, .footprint = footprint};
        const Rows parallel = projected(tilted, ParallelBeam{32, angles, 14.2}, view, 0, 30);
        for (const Shape shape : {Shape::fans, Shape::curved_fans, Shape::cone}) {
            const Rows rows =
                projected(tilted, DivergentBeam{shape, 32, angles, 1e6, 14.2}, view, 0, 30);
            // Gauss's points see an edge within a pixel less well than the closed form does.
            const bool point = footprint == Footprint::point;
            double square = 0;
            for (std::size_t i = 0; i < rows.size(); ++i) {
                const double error = rows[i] - parallel[i];
                CHECK(std::abs(error) < (point ? 0.002 : 0.4));
                square += error * error;
            }
            CHECK(std::sqrt(square / static_cast<double>(rows.size())) < (point ? 1e-4 : 0.02));
        }
    }
}

void all_that_every_ray_sees_is_in_the_field() {
    const std::vector<Ellipsoid> disc{{1, 1, 1, 1, 0, 0, 0, 0, 0, 0}};
    for (const Shape shape : {Shape::fans, Shape::curved_fans}) {
        const Rows row = projected(disc, DivergentBeam{shape, 101, {1.0}, 90},
                                   {.footprint = Footprint::point}, 0, 1);
        CHECK(row.front() > 0 && row.front() < row[1] / 1.2 && row.back() > 0);
        const std::vector<Ellipsoid> smaller{{1, .98, .98, 1, 0, 0, 0, 0, 0, 0}};
        CHECK(projected(smaller, DivergentBeam{shape, 101, {1.0}, 90}, {}, 0, 1).front() == 0);
    }
}

void a_pixel_averages_the_rays_through_it() {
    constexpr std::size_t fine = 400;
    const std::vector<double> angles{0.3, 1.9};
    const PhantomView view{.rows = 1, .unit = 17.5, .middle = 0.4};
    const Rows wide = projected(tilted, {40, angles, 18.7}, view, 0, 1);
    // The same rays, `fine` to a pixel, lengths in fine pixels.
    const PhantomView finer{
        .rows = 1, .unit = 17.5 * fine, .middle = 0.4 * fine, .footprint = Footprint::point};
    const double center = (18.7 + 0.5) * fine - 0.5;
    const Rows rays = projected(tilted, {40 * fine, angles, center}, finer, 0, 1);
    for (std::size_t pixel = 0; pixel < wide.size(); ++pixel) {
        double sum = 0;
        for (std::size_t k = 0; k < fine; ++k) sum += rays[pixel * fine + k];
        CHECK(std::abs(wide[pixel] - sum / (fine * fine)) < 2e-4);
    }
}

void an_area_averages_widths_over_a_rows_height() {
    constexpr std::size_t fine = 64;
    const ParallelBeam beam{40, {0.3, 1.9}};
    const PhantomView view{.rows = 3, .unit = 17.5, .footprint = Footprint::area};
    const Rows areas = projected(tilted, beam, view, 0, 3);
    for (std::size_t row = 0; row < 3; ++row) {
        std::vector<double> sum(2 * 40);
        for (std::size_t k = 0; k < fine; ++k) {
            const double z =
                1 - static_cast<double>(row) + (static_cast<double>(k) + 0.5) / fine - 0.5;
            const Rows widths = projected(tilted, beam, {.unit = 17.5, .middle = z}, 0, 1);
            for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += widths[i];
        }
        for (std::size_t i = 0; i < sum.size(); ++i)
            CHECK(std::abs(areas[row * 80 + i] - sum[i] / fine) < 5e-3);
    }
}

// Each projection holds the whole object: its pixels' widths add up to the slice's mass.
void every_projection_weighs_the_same() {
    const auto head = phantom("modified-shepp-logan");
    ParallelBeam beam{301, {}};
    for (int i = 0; i < 30; ++i) beam.angles.push_back(0.21 * i);
    const Rows rows = projected(head, beam, {}, 0, 1);
    double mass = 0;
    for (const Ellipsoid& e : head) mass += e.value * pi * e.a * e.b * 150.5 * 150.5;
    for (std::size_t angle = 0; angle < 30; ++angle) {
        double sum = 0;
        for (std::size_t i = 0; i < 301; ++i) sum += rows[angle * 301 + i];
        CHECK(std::abs(sum / mass - 1) < 1e-6);
    }
}

void a_slice_shows_what_is_there(bool brief) {
    const PhantomView view{.rows = 9, .unit = 20, .middle = 3.5};
    constexpr std::size_t size = 31;
    const std::vector<float> slices = drawn(tilted, size, view, {.lines = 32, .planes = 8}, 0, 9);
    constexpr int samples = 32, planes = 8;
    for (std::size_t slice = 0; slice < 9; slice += 4)
        for (std::size_t pixel = 0; pixel < size * size; pixel += brief ? 29 : 7) {
            const double y = 15 - static_cast<double>(pixel / size),
                         x = static_cast<double>(pixel % size) - 15,
                         z = 3.5 - static_cast<double>(slice);
            double sum = 0;
            for (int k = 0; k < samples * samples * planes; ++k)
                sum += attenuation(tilted, (x + (k % samples + 0.5) / samples - 0.5) / 20,
                                   (y + (k / samples % samples + 0.5) / samples - 0.5) / 20,
                                   (z + (k / samples / samples + 0.5) / planes - 0.5) / 20);
            CHECK(std::abs(slices[slice * size * size + pixel] -
                           sum / (samples * samples * planes)) < 0.01);
        }
}

template <typename Beam>
void every_variant_equals_the_portable_one(const Beam& beam) {
    for (const Footprint footprint : {Footprint::point, Footprint::width, Footprint::area}) {
        PhantomView view{.rows = 40, .footprint = footprint, .variant = "portable"};
        const Rows expected = projected(phantom("may-beetle"), beam, view, 0, 40);
        for (const std::string_view variant : phantom_variants()) {
            if (variant == "portable") continue;
            view.variant = variant;
            const Rows found = projected(phantom("may-beetle"), beam, view, 0, 40);
            // A ray that grazes a point of an ellipsoid sees √(half² - u²) of nearly nothing.
            for (std::size_t i = 0; i < found.size(); ++i)
                CHECK(std::abs(found[i] - expected[i]) < 2e-5);
        }
    }
}

bool same(const Rows& a, const Rows& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

void threads_and_parts_change_nothing(bool brief) {
    const auto beetle = phantom("may-beetle");
    const ParallelBeam beam{117, {0, 0.7, 1.4, 2.9, 3.3}};
    const Rows whole = projected(beetle, beam, {.rows = 126}, 0, 126);
    const DivergentBeam cone{Shape::cone, 117, {0, 1.4}, 200};
    const Rows rays = projected(beetle, cone, {.rows = 126, .unit = 50}, 0, 126);
    const std::vector<float> slices = drawn(beetle, 61, {.rows = 66}, {}, 0, 66);
    for (const unsigned threads : {3U, 2U, 5U}) {
        if (brief && threads != 3) break;
        CHECK(same(projected(beetle, beam, {.rows = 126, .threads = threads}, 0, 126), whole));
        CHECK(same(projected(beetle, cone, {.rows = 126, .unit = 50, .threads = threads}, 0, 126),
                   rays));
        CHECK(same(drawn(beetle, 61, {.rows = 66, .threads = threads}, {}, 0, 66), slices));
    }
    for (std::size_t row : {0UL, 17UL, 63UL, 125UL}) {
        const auto begin = whole.begin() + static_cast<std::ptrdiff_t>(row * 5 * 117);
        const auto ray = rays.begin() + static_cast<std::ptrdiff_t>(row * 2 * 117);
        CHECK(same(projected(beetle, cone, {.rows = 126, .unit = 50}, row, row + 1),
                   Rows(ray, ray + 2 * 117)));
        CHECK(same(projected(beetle, beam, {.rows = 126}, row, row + 1),
                   Rows(begin, begin + 5 * 117)));
    }
}

// Overlaps are easily wrong by a sign, and the field of view by a leg.
void the_beetle_is_whole() {
    const auto beetle = phantom("may-beetle");
    CHECK(beetle.size() >= 60 && beetle.size() <= 150);
    const std::vector<float> slices = drawn(beetle, 235, {.rows = 252}, {.lines = 4}, 0, 252);
    for (std::size_t i = 0; i < slices.size(); ++i) {
        CHECK(slices[i] > -1e-6 && slices[i] < 1.6);
        const double y = static_cast<double>(i / 235 % 235) - 117,
                     x = static_cast<double>(i % 235) - 117;
        if (x * x + y * y > 117 * 117) CHECK(slices[i] == 0);
    }
    for (std::size_t end : {std::size_t{0}, slices.size() - 235 * 235})
        for (std::size_t i = end; i < end + 235 * 235; ++i) CHECK(slices[i] == 0);
}

void nonsense_is_refused() {
    const auto head = phantom("shepp-logan-3d");
    const ParallelBeam beam{8, {0}};
    const auto with = [&](auto change) {
        auto wrong = head;
        change(wrong[3]);
        projected(wrong, beam, {}, 0, 1);
    };
    with([](Ellipsoid&) {});
    CHECK_THROWS(std::invalid_argument, phantom("nosuch"));
    CHECK_THROWS(std::invalid_argument, with([](Ellipsoid& e) { e.a = 0; }));
    CHECK_THROWS(std::invalid_argument, with([](Ellipsoid& e) { e.b = -1; }));
    CHECK_THROWS(std::invalid_argument, with([](Ellipsoid& e) { e.c = NAN; }));
    CHECK_THROWS(std::invalid_argument, with([](Ellipsoid& e) { e.value = NAN; }));
    CHECK_THROWS(std::invalid_argument, with([](Ellipsoid& e) {
                     e.c = std::numeric_limits<double>::infinity();
                     e.theta = 1;
                 }));
    CHECK_THROWS(std::invalid_argument, projected(head, {8, {}}, {}, 0, 0));
    CHECK_THROWS(std::invalid_argument, projected(head, {8, {NAN}}, {}, 0, 1));
    CHECK_THROWS(std::invalid_argument, projected(head, {0, {0}}, {}, 0, 1));
    CHECK_THROWS(std::invalid_argument, projected(head, beam, {.rows = 4}, 3, 5));
    CHECK_THROWS(std::invalid_argument, project(head, beam, {.rows = 4}, 3, 2, {}));
    CHECK_THROWS(std::invalid_argument, projected(head, beam, {.unit = -1}, 0, 1));
    CHECK_THROWS(std::invalid_argument, projected(head, beam, {.variant = "nosuch"}, 0, 1));
    CHECK_THROWS(std::invalid_argument, projected(head, beam, {.threads = 0}, 0, 1));
    CHECK_THROWS(std::invalid_argument, drawn(head, 8, {}, {.lines = 0}, 0, 1));
    const auto from = [&](double source, Shape shape) {
        projected(head, DivergentBeam{shape, 8, {0}, source}, {.unit = 4}, 0, 1);
    };
    from(8, Shape::cone);
    CHECK_THROWS(std::invalid_argument, from(0, Shape::cone));
    CHECK_THROWS(std::invalid_argument, from(NAN, Shape::fans));
    CHECK_THROWS(std::invalid_argument, from(3.6, Shape::fans));
    CHECK_THROWS(std::invalid_argument, from(2.5, Shape::curved_fans));
    const auto before = [&](const DivergentBeam& rays, double unit) {
        projected(head, rays, {.unit = unit}, 0, 1);
    };
    for (const double unit : {0.0, -4.0, static_cast<double>(NAN)})
        CHECK_THROWS(std::invalid_argument, before({Shape::cone, 8, {0}, 8}, unit));
    before({Shape::curved_fans, 8, {0}, 5}, 2);
    for (const double center : {-0.5, 7.5})  // rays at a right angle to the one through the axis
        CHECK_THROWS(std::invalid_argument, before({Shape::curved_fans, 8, {0}, 5, center}, 2));
}

}  // namespace

// `brief`, for emulators: without the beetle as a whole, on three threads only, and fewer pixels.
int main(int count, char**) {
    a_ray_adds_up_what_it_crosses();
    a_ray_from_a_point_adds_up_what_it_crosses();
    far_sources_rays_are_parallel();
    all_that_every_ray_sees_is_in_the_field();
    a_pixel_averages_the_rays_through_it();
    an_area_averages_widths_over_a_rows_height();
    every_projection_weighs_the_same();
    a_slice_shows_what_is_there(count > 1);
    every_variant_equals_the_portable_one(ParallelBeam{173, {0.1, 0.7, 2.9}, 80.3});
    every_variant_equals_the_portable_one(DivergentBeam{Shape::cone, 173, {0.1, 2.9}, 300});
    threads_and_parts_change_nothing(count > 1);
    if (count == 1) the_beetle_is_whole();
    nonsense_is_refused();
}
