// SIRT and CGLS find the slice of a consistent sinogram, agree with their textbook forms on a dense
// matrix, and no slice spoils another.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <stend/tomo.hpp>

#include "check.h"

using namespace stend::tomo;
using std::numbers::pi;
using Numbers = std::vector<double>;

namespace {

constexpr std::size_t size = 12, detectors = 15, pixels = size * size;

ParallelBeam beam() {
    ParallelBeam all{detectors, {}, 6.75};
    for (int i = 0; i < 20; ++i) all.angles.push_back(pi * i / 20);
    return all;
}

constexpr std::size_t rays = 20 * detectors;

// The matrix of the projector, column by column.
std::vector<Numbers> matrix() {
    Projector projector(beam(), {size}, {"reference"});
    std::vector<Numbers> columns;
    for (std::size_t j = 0; j < pixels; ++j) {
        std::vector<float> unit(pixels), column(rays);
        unit[j] = 1;
        projector.project({unit.data(), 0, size}, 1, {column.data(), 0, detectors});
        columns.emplace_back(column.begin(), column.end());
    }
    return columns;
}

const std::vector<Numbers> a = matrix();

Numbers times(const Numbers& x) {
    Numbers y(rays);
    for (std::size_t j = 0; j < pixels; ++j)
        for (std::size_t i = 0; i < rays; ++i) y[i] += a[j][i] * x[j];
    return y;
}

double product(const Numbers& x, const Numbers& y) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
    return sum;
}

Numbers transpose_times(const Numbers& y) {
    Numbers x(pixels);
    for (std::size_t j = 0; j < pixels; ++j) x[j] = product(a[j], y);
    return x;
}

Numbers minus(Numbers x, double factor, const Numbers& y) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] -= factor * y[i];
    return x;
}

struct Result {
    Numbers x, norms;
};

Result sirt(const Numbers& b, unsigned iterations, bool clamp, Numbers x) {
    Numbers norms;
    const Numbers rows = times(Numbers(pixels, 1)), columns = transpose_times(Numbers(rays, 1));
    const double least = *std::ranges::max_element(rows) / 1000;
    for (unsigned k = 0; k < iterations; ++k) {
        Numbers r = minus(b, 1, times(x));
        norms.push_back(std::sqrt(product(r, r)));
        for (std::size_t i = 0; i < rays; ++i) r[i] = rows[i] > least ? r[i] / rows[i] : 0;
        const Numbers s = transpose_times(r);
        for (std::size_t j = 0; j < pixels; ++j) {
            x[j] += s[j] / columns[j];
            if (clamp) x[j] = std::max(0.0, x[j]);
        }
    }
    return {x, norms};
}

Result cgls(const Numbers& b, unsigned iterations, Numbers x) {
    Numbers norms, r = minus(b, 1, times(x)), s = transpose_times(r), d = s;
    for (unsigned k = 0; k < iterations; ++k) {
        norms.push_back(std::sqrt(product(r, r)));
        const Numbers q = times(d);
        const double gamma = product(s, s), alpha = gamma / product(q, q);
        x = minus(x, -alpha, d);
        r = minus(r, alpha, q);
        s = transpose_times(r);
        d = minus(s, -product(s, s) / gamma, d);
    }
    return {x, norms};
}

// Smooth, partly negative, another for each slice.
Numbers picture(std::size_t slice) {
    Numbers x(pixels);
    for (std::size_t j = 0; j < pixels; ++j) {
        const double u = static_cast<double>(j % size) - 5.5,
                     v = static_cast<double>(j / size) - 5.5;
        x[j] = std::cos(0.3 * u + 0.1 * static_cast<double>(slice)) * std::exp(-v * v / 20);
    }
    return x;
}

constexpr std::size_t slices = 19;  // more than any variant takes together, and no multiple

std::vector<float> sinograms() {
    std::mt19937 random(1);
    std::normal_distribution<double> noise(0, 0.05);
    std::vector<float> all;
    for (std::size_t i = 0; i < slices; ++i)
        for (const double value : times(picture(i)))
            all.push_back(static_cast<float>(value + noise(random)));
    return all;
}

const std::vector<float> measured = sinograms();

Numbers of(const std::vector<float>& all, std::size_t slice, std::size_t length) {
    const float* from = &all[slice * length];
    return {from, from + length};
}

struct Run {
    std::vector<float> slices;
    Numbers norms;
};

Run run(const IterativeMethod& method, const std::vector<float>& from,
        const std::vector<float>& start = {}) {
    Run result{std::vector<float>(slices * pixels), {}};
    IterativeReconstruction reconstruction(beam(), {size}, method);
    result.norms = reconstruction.run({from.data(), rays, detectors}, slices,
                                      {result.slices.data(), pixels, size},
                                      {start.empty() ? nullptr : start.data(), pixels, size});
    return result;
}

void near(const Numbers& found, const Numbers& expected, double tolerance) {
    double most = 0;
    for (const double x : expected) most = std::max(most, std::abs(x));
    for (std::size_t i = 0; i < expected.size(); ++i)
        CHECK(std::abs(found[i] - expected[i]) <= tolerance * most);
}

void it_is_what_the_textbook_has(std::string_view variant) {
    constexpr unsigned iterations = 5;  // in floats, conjugate directions are soon lost
    const std::vector<float> start(slices * pixels, 0.2F);
    const Numbers from(pixels, static_cast<double>(0.2F));
    const Run weighted = run({Iteration::sirt, iterations, false, {variant}}, measured, start);
    const Run clamped = run({Iteration::sirt, iterations, true, {variant}}, measured);
    const Run conjugate = run({Iteration::cgls, iterations, false, {variant}}, measured, start);
    for (std::size_t i = 0; i < slices; i += 3) {
        const Numbers b = of(measured, i, rays);
        const auto check = [&](const Run& found, const Result& expected, double tolerance) {
            near(of(found.slices, i, pixels), expected.x, tolerance);
            near({&found.norms[i * iterations], &found.norms[(i + 1) * iterations]}, expected.norms,
                 tolerance);
        };
        check(weighted, sirt(b, iterations, false, from), 1e-5);
        check(clamped, sirt(b, iterations, true, Numbers(pixels)), 1e-5);
        check(conjugate, cgls(b, iterations, from), 1e-4);
    }
}

// What CGLS must not exceed: the residual of SIRT's slice after as many steps.
void nothing_is_negative_and_the_residual_falls(std::string_view variant) {
    const Run found = run({Iteration::cgls, 41, true, {variant}}, measured);
    const Run slowly = run({Iteration::sirt, 40, true, {variant}}, measured);
    for (const float x : found.slices) CHECK(x >= 0);
    for (std::size_t i = 0; i < slices; ++i) {
        const double last = found.norms[i * 41 + 40];  // of the slice after the fifth restart
        CHECK(last < slowly.norms[i * 40 + 39]);
    }
}

// Where the residual is least among slices that aren't negative, its slope is zero at pixels above
// zero, and doesn't fall towards larger ones at those that are zero (Karush, Kuhn and Tucker).
void it_goes_to_the_least_residual_without_negatives() {
    const Run found = run({Iteration::cgls, 400, true}, measured);
    for (std::size_t i = 0; i < slices; i += 6) {
        const Numbers b = of(measured, i, rays), x = of(found.slices, i, pixels);
        const Numbers down = transpose_times(minus(b, 1, times(x)));
        const Numbers all = transpose_times(b);
        const double most = *std::ranges::max_element(all);
        for (std::size_t j = 0; j < pixels; ++j) {
            CHECK(down[j] < 1e-4 * most);
            if (x[j] > 0) CHECK(down[j] > -1e-4 * most);
        }
    }
}

void no_slice_spoils_another(std::string_view variant) {
    std::vector<float> spoilt = measured;
    for (std::size_t i = 0; i < rays; ++i) spoilt[2 * rays + i] = 0;
    spoilt[5 * rays + 40] = NAN;
    spoilt[6 * rays + 41] = INFINITY;
    for (const Iteration iteration : {Iteration::sirt, Iteration::cgls}) {
        const IterativeMethod method{iteration, 10, true, {variant}};
        const Run clean = run(method, measured), dirty = run(method, spoilt);
        for (std::size_t i = 0; i < slices; ++i) {
            if (i == 5 || i == 6) continue;
            const Numbers expected = i == 2 ? Numbers(pixels) : of(clean.slices, i, pixels);
            CHECK(of(dirty.slices, i, pixels) == expected);
        }
        CHECK(std::isnan(dirty.norms[5 * 10 + 9]));
        CHECK(std::ranges::any_of(of(dirty.slices, 5, pixels),
                                  [](double x) { return std::isnan(x); }));
    }
}

void threads_change_no_bit() {
    for (const Iteration iteration : {Iteration::sirt, Iteration::cgls}) {
        const Run one = run({iteration, 9, true}, measured);
        const Run two = run({iteration, 9, true, {{}, 2}}, measured);
        CHECK(one.slices == two.slices);
        CHECK(one.norms == two.norms);
    }
}

void no_iterations_leave_the_start() {
    const std::vector<float> start(slices * pixels, 0.25F);
    const Run none = run({Iteration::cgls, 0}, measured, start);
    CHECK(none.slices == start);
    CHECK(none.norms.empty());
}

void who_watches_hears_each_iteration_and_may_end_it() {
    std::vector<float> room(slices * pixels, -1);
    std::vector<double> heard(slices * 3, -1);
    const Sinograms from{measured.data(), rays, detectors};
    const Slices to{room.data(), pixels, size};
    IterativeReconstruction made(beam(), {size}, {Iteration::cgls, 3});
    std::size_t together = 0;
    const auto norms =
        made.run(from, slices, to, {},
                 [&](std::size_t first, unsigned iterations, std::span<const double> each) {
                     together = std::max(together, each.size());
                     for (std::size_t i = 0; i < each.size(); ++i)
                         heard[(first + i) * 3 + iterations] = each[i];
                 });
    CHECK(heard == norms);
    CHECK(together == made.together());
    const std::vector<float> whole = room;
    std::ranges::fill(room, -1.0F);
    const auto ended = [&](std::size_t first, unsigned iterations, std::span<const double>) {
        if (first > 0 && iterations == 2) throw std::runtime_error("enough");
    };
    CHECK_THROWS(std::runtime_error, made.run(from, slices, to, {}, ended));
    for (std::size_t i = 0; i < room.size(); ++i)
        CHECK(room[i] == (i < together * pixels ? whole[i] : -1));
    made.run(from, slices, to);
    CHECK(room == whole);
}

}  // namespace

// `brief`, for emulators: without what only many iterations come to.
int main(int count, char**) {
    for (const std::string_view variant : projector_variants()) {
        it_is_what_the_textbook_has(variant);
        nothing_is_negative_and_the_residual_falls(variant);
        no_slice_spoils_another(variant);
    }
    if (count == 1) it_goes_to_the_least_residual_without_negatives();
    threads_change_no_bit();
    no_iterations_leave_the_start();
    who_watches_hears_each_iteration_and_may_end_it();
}
