// The projector and the back projector are each other's transpose, every variant equals the
// reference, and lengths are right.
#include <cmath>
#include <numbers>
#include <random>
#include <stend/tomo.hpp>

#include "check.h"

using namespace stend::tomo;
using std::numbers::pi;

namespace {

struct Case {
    ParallelBeam beam;
    SliceGrid grid;

    std::size_t sinogram() const { return beam.angles.size() * beam.detectors; }
    std::size_t slice() const { return grid.size * grid.size; }
};

// Every direction of rays, angles beyond a turn and in no order; a slice of several pieces, one of
// a few pixels, pixels that cast shadows on many detector pixels, and on hardly one; axes off the
// middle and a detector that is too short.
const Case cases[] = {
    {{101,
      {0, 0.3, pi / 4, 1, pi / 2, 2, 3 * pi / 4, 3, pi, -0.7, 4, 5, 9, 1e-9, 0.1, 0.2, 0.4},
      48.25},
     {99}},
    {{5, {0.5, 2.5}}, {3}},
    {{40, {0, 0.2, 1.2, 2.2}}, {17, 2.6}},
    {{33, {0, 0.2, 1.2, 2.2}, 20}, {70, 0.3}},
    {{20, {0.1, 0.9, 1.8}, -3}, {64}},
    {{1, {0.1, 0.9, 1.8}}, {1}},
};

std::vector<float> noise(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> numbers(count);
    for (float& x : numbers) x = normal(random);
    return numbers;
}

std::vector<float> projected(const Case& of, const std::vector<float>& slices, OnThreads how) {
    const std::size_t count = slices.size() / of.slice();
    std::vector<float> sinograms(count * of.sinogram());
    const auto width = static_cast<std::ptrdiff_t>(of.beam.detectors);
    Projector(of.beam, of.grid, how)
        .project({slices.data(), static_cast<std::ptrdiff_t>(of.slice()),
                  static_cast<std::ptrdiff_t>(of.grid.size)},
                 count, {sinograms.data(), static_cast<std::ptrdiff_t>(of.sinogram()), width});
    return sinograms;
}

std::vector<float> projected_back(const Case& of, const std::vector<float>& sinograms,
                                  OnThreads how) {
    const std::size_t count = sinograms.size() / of.sinogram();
    std::vector<float> slices(count * of.slice());
    const auto width = static_cast<std::ptrdiff_t>(of.beam.detectors);
    Projector(of.beam, of.grid, how)
        .back_project({sinograms.data(), static_cast<std::ptrdiff_t>(of.sinogram()), width}, count,
                      {slices.data(), static_cast<std::ptrdiff_t>(of.slice()),
                       static_cast<std::ptrdiff_t>(of.grid.size)});
    return slices;
}

double product(const float* a, const float* b, std::size_t count) {
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += static_cast<double>(a[i]) * b[i];
    return sum;
}

constexpr std::size_t slices = 19;  // more than any variant takes together, and no multiple

void the_back_projector_is_the_transpose(const Case& of, std::string_view variant) {
    const std::vector<float> x = noise(slices * of.slice(), 1),
                             y = noise(slices * of.sinogram(), 2);
    const std::vector<float> ax = projected(of, x, {variant});
    const std::vector<float> ay = projected_back(of, y, {variant});
    for (std::size_t i = 0; i < slices; ++i) {
        const float* a = &ax[i * of.sinogram()];
        const float* b = &y[i * of.sinogram()];
        const double there = product(a, b, of.sinogram());
        const double back = product(&x[i * of.slice()], &ay[i * of.slice()], of.slice());
        const double scale = std::sqrt(product(a, a, of.sinogram()) * product(b, b, of.sinogram()));
        // A few roundings of 6e-8 each: at most 2.2e-7 was seen, with the numbers that LLVM's
        // normal_distribution draws, and less than 1e-7 with GCC's.
        CHECK(std::abs(there - back) <= 5e-7 * scale);
    }
}

void near(const std::vector<float>& a, const std::vector<float>& b) {
    float most = 0;
    for (const float x : a) most = std::max(most, std::abs(x));
    for (std::size_t i = 0; i < a.size(); ++i) CHECK(std::abs(a[i] - b[i]) <= 2e-6F * most);
}

void it_equals_the_reference(const Case& of, std::string_view variant) {
    const std::vector<float> x = noise(slices * of.slice(), 3),
                             y = noise(slices * of.sinogram(), 4);
    near(projected(of, x, {"reference"}), projected(of, x, {variant}));
    near(projected_back(of, y, {"reference"}), projected_back(of, y, {variant}));
}

void threads_change_no_bit(const Case& of, std::string_view variant) {
    const std::vector<float> x = noise(slices * of.slice(), 5),
                             y = noise(slices * of.sinogram(), 6);
    for (const unsigned threads : {2U, 5U}) {
        CHECK(projected(of, x, {variant}) == projected(of, x, {variant, threads}));
        CHECK(projected_back(of, y, {variant}) == projected_back(of, y, {variant, threads}));
    }
}

// A ray through the middle of a uniform square crosses all rows, or all columns.
void a_uniform_square_is_as_long_as_it_is(std::string_view variant) {
    for (const double pixel : {0.5, 1.0, 1.7}) {
        const Case square{{301, {0, 0.2, 0.5, 1, pi / 2, 2, 2.5, 3}}, {95, pixel}};
        const std::vector<float> rows =
            projected(square, std::vector<float>(square.slice(), 1), {variant});
        for (std::size_t a = 0; a < square.beam.angles.size(); ++a) {
            const double angle = square.beam.angles[a];
            const double slope = std::max(std::abs(std::cos(angle)), std::abs(std::sin(angle)));
            CHECK(std::abs(rows[a * 301 + 150] - 95 * pixel / slope) < 1e-3);
        }
    }
}

// One pixel, up and to the right of the middle, is seen where the conventions say.
void a_pixel_is_seen_where_it_is() {
    Case of{{41, {0, pi / 2, pi, 0.6}}, {21}};
    std::vector<float> slice(of.slice());
    slice[(10 - 4) * 21 + 10 + 7] = 1;  // x = 7, y = 4
    const std::vector<float> rows = projected(of, slice, {});
    for (std::size_t a = 0; a < 4; ++a) {
        const double angle = of.beam.angles[a];
        double sum = 0, moment = 0;
        for (std::size_t i = 0; i < 41; ++i) {
            sum += rows[a * 41 + i];
            moment += rows[a * 41 + i] * (static_cast<double>(i) - 20);
        }
        CHECK(std::abs(moment / sum - (7 * std::cos(angle) + 4 * std::sin(angle))) < 0.2);
    }
}

void nonsense_is_refused() {
    const auto make = [](const ParallelBeam& beam, const SliceGrid& grid, const OnThreads& how) {
        Projector{beam, grid, how};
    };
    make({8, {0, 1}}, {8}, {});
    CHECK_THROWS(std::invalid_argument, make({0, {0}}, {8}, {}));
    CHECK_THROWS(std::invalid_argument, make({8, {}}, {8}, {}));
    CHECK_THROWS(std::invalid_argument, make({8, {INFINITY}}, {8}, {}));
    CHECK_THROWS(std::invalid_argument, make({8, {0}, NAN}, {8}, {}));
    CHECK_THROWS(std::invalid_argument, make({8, {0}}, {0}, {}));
    CHECK_THROWS(std::invalid_argument, make({8, {0}}, {8, 0}, {}));
    CHECK_THROWS(std::invalid_argument, make({8, {0}}, {8, 1e12}, {}));
    CHECK_THROWS(std::invalid_argument, make({8, {0}}, {8}, {"nosuch"}));
    CHECK_THROWS(std::invalid_argument, make({8, {0}}, {8}, {"", 0}));
}

}  // namespace

// `brief`, for emulators and sanitizers: without what the reference, which is slow, is compared
// with.
int main(int count, char**) {
    for (const std::string_view variant : projector_variants()) {
        if (count > 1 && variant == "reference") continue;
        CHECK(Projector({8, {0}}, {8}, {variant}).variant() == variant);
        for (const Case& of : cases) {
            the_back_projector_is_the_transpose(of, variant);
            it_equals_the_reference(of, variant);
        }
        threads_change_no_bit(cases[0], variant);
        a_uniform_square_is_as_long_as_it_is(variant);
    }
    a_pixel_is_seen_where_it_is();
    nonsense_is_refused();
}
