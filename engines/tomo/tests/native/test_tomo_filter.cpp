// The filter in lanes is the defining convolution, lane by lane, at lengths odd and even.
#include <cmath>
#include <numbers>
#include <random>
#include <stend/tomo/filter.hpp>
#include <vector>

#include "check.h"
#include "tomo/filtering.h"
#include "tomo/lanes/portable.h"
#include "tomo/ramp.h"

using namespace stend::tomo;
using std::numbers::pi;

namespace {

using L = Portable;

Plan plan_of(std::size_t detectors, std::size_t angles, const Filter& filter) {
    Plan plan{detectors, {}, {}, 0, 1, 1, filter, 1};
    for (std::size_t a = 0; a < angles; ++a) {
        plan.angles.push_back(0.1 * static_cast<double>(a));
        plan.weights.push_back(0.5 + static_cast<double>(a));
    }
    return plan;
}

struct Rows {
    explicit Rows(const Plan& plan) : pixels(plan.detectors), angles(plan.angles.size()) {
        std::mt19937 random(static_cast<unsigned>(pixels));
        std::normal_distribution<float> normal;
        for (unsigned i = 0; i < L::count * angles * pixels; ++i) data.push_back(normal(random));
    }

    const float* row(unsigned lane, std::size_t angle) const {
        return &data[(lane * angles + angle) * pixels];
    }

    Batch batch() const {
        Batch batch{};
        batch.count = L::count;
        batch.angle_stride = static_cast<std::ptrdiff_t>(pixels);
        for (unsigned lane = 0; lane < L::count; ++lane) batch.sinogram[lane] = row(lane, 0);
        return batch;
    }

    std::size_t pixels, angles;
    std::vector<float> data;
};

// The impulse response of the sampled spectrum, by its defining sum.
std::vector<double> kernel(const Plan& plan, std::size_t length) {
    const std::vector<double> spectrum = ramp(length, plan.filter);
    std::vector<double> response(plan.detectors);
    for (std::size_t j = 0; j < response.size(); ++j)
        for (std::size_t k = 0; k < length; ++k)
            response[j] +=
                spectrum[std::min(k, length - k)] / static_cast<double>(length) *
                std::cos(2 * pi * static_cast<double>(j * k) / static_cast<double>(length));
    return response;
}

double convolved(const float* row, const std::vector<double>& kernel, std::size_t i) {
    double sum = 0;
    for (std::size_t j = 0; j < kernel.size(); ++j) sum += kernel[i > j ? i - j : j - i] * row[j];
    return sum;
}

void rows_are_convolved_and_weighted(std::size_t detectors, std::size_t angles,
                                     const Filter& filter) {
    const Plan plan = plan_of(detectors, angles, filter);
    const Rows rows(plan);
    const RampFilter ramp_filter(plan);
    const std::vector<double> response = kernel(plan, ramp_filter.forward.length);
    std::vector<Complex<L>> scratch(ramp_filter.scratch_vectors()), out(detectors);
    CHECK(ramp_filter.pairs() == (angles + 1) / 2);
    for (std::size_t pair = 0; pair < ramp_filter.pairs(); ++pair) {
        filter_pair<L>(ramp_filter, rows.batch(), 0, pair, scratch.data(),
                       [&](std::size_t i, Complex<L> q) { out[i] = q; });
        for (std::size_t i = 0; i < detectors; ++i)
            for (unsigned lane = 0; lane < L::count; ++lane)
                for (std::size_t a = 2 * pair; a < 2 * pair + 2; ++a) {
                    const double got = a % 2 == 0 ? out[i].re[lane] : out[i].im[lane];
                    const double expected =
                        a < angles ? plan.weights[a] * convolved(rows.row(lane, a), response, i)
                                   : 0;
                    CHECK(std::abs(got - expected) < 1e-5 * (1 + static_cast<double>(a)));
                }
    }
}

// Kak and Slaney 1988, equation 61: 1/4, 0 at even and -1/(πj)² at odd distances.
void the_kernel_of_ram_lak_is_the_textbooks() {
    const Plan plan = plan_of(33, 1, {});
    const std::vector<double> response = kernel(plan, RampFilter(plan).forward.length);
    for (std::size_t j = 0; j < response.size(); ++j) {
        const double odd = static_cast<double>(j);
        const double expected = j == 0 ? 0.25 : j % 2 == 0 ? 0 : -1 / (pi * pi * odd * odd);
        CHECK(std::abs(response[j] - expected) < 1e-12);
    }
}

// Slices 3 apart and angles 2 apart, of more rows than lanes, and fewer.
void rows_anywhere_are_filtered_by_every_variant(std::size_t slices, std::size_t angles) {
    constexpr std::size_t detectors = 37;
    const Filter filter{Window::cosine, 0.7};
    std::mt19937 random(static_cast<unsigned>(slices));
    std::normal_distribution<float> normal;
    std::vector<float> from(6 * slices * angles * detectors);
    for (float& value : from) value = normal(random);
    const auto angle_stride = static_cast<std::ptrdiff_t>(2 * detectors);
    const auto slice_stride = static_cast<std::ptrdiff_t>(6 * angles * detectors);
    const Plan plan = plan_of(detectors, 1, filter);
    const std::vector<double> response = kernel(plan, RampFilter(plan).forward.length);
    for (const std::string_view variant : filtering_variants()) {
        std::vector<float> to = from, threaded = from;
        Filtering made(detectors, filter, {variant});
        CHECK(made.variant() == variant);
        made.run({to.data(), slice_stride, angle_stride}, slices, angles,
                 {to.data(), slice_stride, angle_stride});
        Filtering(detectors, filter, {variant, 3})
            .run({from.data(), slice_stride, angle_stride}, slices, angles,
                 {threaded.data(), slice_stride, angle_stride});
        CHECK(to == threaded);
        for (std::size_t row = 0; row < slices * 3 * angles * 2; ++row) {
            const bool one = row / (2 * angles) % 3 == 0 && row % 2 == 0;
            const float* before = &from[row * detectors];
            for (std::size_t i = 0; i < detectors; ++i) {
                const double expected = one ? convolved(before, response, i) : before[i];
                CHECK(std::abs(to[row * detectors + i] - expected) < (one ? 1e-5 : 1e-30));
            }
        }
    }
}

// A row of each transform is a million times the other.
void a_row_feels_no_more_than_the_rounding_of_its_neighbours() {
    constexpr std::size_t detectors = 37, rows = 32;
    std::mt19937 random(5);
    std::normal_distribution<float> normal;
    std::vector<float> from(rows * detectors);
    for (float& value : from) value = normal(random);
    const Plan plan = plan_of(detectors, 1, {});
    const std::vector<double> response = kernel(plan, RampFilter(plan).forward.length);
    for (const std::string_view variant : filtering_variants())
        for (std::size_t large = 0; large < rows; ++large) {
            std::vector<float> beside = from, to(from.size());
            const auto begin = beside.begin() + static_cast<std::ptrdiff_t>(large * detectors);
            for (auto value = begin; value < begin + detectors; ++value) *value *= 1e6F;
            Filtering(detectors, {}, {variant})
                .run({beside.data(), 0, detectors}, 1, rows, {to.data(), 0, detectors});
            for (std::size_t i = 0; i < to.size(); ++i)
                if (i / detectors != large) {
                    const std::size_t row = i / detectors * detectors;
                    CHECK(std::abs(to[i] - convolved(&from[row], response, i - row)) < 0.2);
                }
        }
}

void nonsense_is_refused() {
    CHECK_THROWS(std::invalid_argument, Filtering(0, {}));
    CHECK_THROWS(std::invalid_argument, Filtering(8, {Window::hann, 0}));
    CHECK_THROWS(std::invalid_argument, Filtering(8, {Window::hann, 1.5}));
    CHECK_THROWS(std::invalid_argument, Filtering(8, {}, {"nosuch"}));
    CHECK_THROWS(std::invalid_argument, Filtering(8, {}, {"", 0}));
}

// The spectrum's defining sum, the smallest first.
double sum_of_cosines(std::size_t length, std::size_t k) {
    double sum = 0;
    for (std::size_t j = (length / 2 - 1) | 1U; j <= length / 2; j -= 2) {
        const double odd = static_cast<double>(j), twice = 2 * j == length ? 1 : 2;
        sum -= twice / (pi * pi * odd * odd) *
               std::cos(2 * pi * static_cast<double>(j * k % length) / static_cast<double>(length));
    }
    return sum + 0.25;
}

// At lengths of small factors, of large ones and of two primes, as references ask for.
void the_spectrum_is_the_sum_of_cosines() {
    for (const std::size_t length :
         {2U, 4U, 6U, 10U, 18U, 30U, 64U, 250U, 486U, 2U * 509, 4U * 511, 2048U, 4800U}) {
        const std::vector<double> spectrum = ramp(length, {});
        CHECK(spectrum.size() == length / 2 + 1);
        for (std::size_t k = 0; k < spectrum.size(); ++k)
            CHECK(std::abs(spectrum[k] - sum_of_cosines(length, k)) < 1e-15);
    }
}

}  // namespace

int main() {
    the_spectrum_is_the_sum_of_cosines();
    for (const std::size_t detectors : {1, 2, 3, 16, 31, 64, 101})
        for (const std::size_t angles : {1, 2, 5})
            rows_are_convolved_and_weighted(detectors, angles, {});
    for (const Window window :
         {Window::shepp_logan, Window::sinc2, Window::cosine, Window::hamming, Window::hann})
        rows_are_convolved_and_weighted(40, 2, {window, 0.8});
    the_kernel_of_ram_lak_is_the_textbooks();
    for (const std::size_t slices : {1, 2, 7})
        rows_anywhere_are_filtered_by_every_variant(slices, 5);
    rows_anywhere_are_filtered_by_every_variant(32, 1);  // batches that are all full
    a_row_feels_no_more_than_the_rounding_of_its_neighbours();
    nonsense_is_refused();
}
