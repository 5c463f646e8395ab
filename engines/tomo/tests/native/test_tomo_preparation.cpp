// Line integrals, zingers and stripes, every variant, against formulas in double and std::sort.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <stend/tomo.hpp>

#include "check.h"

using namespace stend::tomo;

namespace {

constexpr Limits wide{1e-30F, 1e30F};

std::vector<float> logarithms(const std::vector<float>& values, const OnThreads& how) {
    const std::vector<float> dark(values.size(), 0.0F), gain(values.size(), 1.0F);
    std::vector<float> to(values.size());
    const auto count = static_cast<std::ptrdiff_t>(values.size());
    normalize(Stack<const float>{values.data(), count, count}, {1, 1, values.size()},
              {dark.data(), gain.data()}, wide, Result::line_integrals, {to.data(), count, count},
              how);
    return to;
}

void the_logarithm_is_right_to_two_units_in_the_last_place(const OnThreads& how) {
    std::vector<float> values;
    for (float x = 1e-25F; x < 1e25F; x *= 1.00037F) values.push_back(x);
    for (float x = 0.7F; x < 1.42F; x += 1.1e-5F) values.push_back(x);
    const std::vector<float> found = logarithms(values, how);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double right = -std::log(static_cast<double>(values[i]));
        const auto near = static_cast<float>(std::abs(right));
        const double unit = std::nextafter(near, std::numeric_limits<float>::infinity()) -
                            static_cast<double>(near);
        CHECK(std::abs(found[i] - right) <= std::max(2 * unit, 1e-7));
    }
}

void what_tells_nothing_is_limited(const OnThreads& how) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float inf = std::numeric_limits<float>::infinity();
    const std::vector<float> counts{nan, inf, -inf, 100, 50, 1e30F, 600, 600, 1100};
    const std::vector<float> dark(9, 100.0F);
    std::vector<float> gain(9, 1e-3F), to(9);
    gain[7] = 0;  // dead
    const Seen seen =
        normalize(Stack<const float>{counts.data(), 9, 9}, {1, 1, 9}, {dark.data(), gain.data()},
                  {0.01F, 100}, Result::transmission, {to.data(), 9, 9}, how);
    CHECK(seen.limited == 7 && seen.not_finite == 3);
    const std::vector<float> right{0.01F, 100, 0.01F, 0.01F, 0.01F, 100, 0.5F, 0.01F, 1};
    for (std::size_t i = 0; i < 9; ++i) CHECK(std::abs(to[i] - right[i]) < 1e-6F * right[i]);
}

// What is infinite is beyond a limit as any other number is; what is none, also after the dark
// field and the gain, tells nothing.
void infinite_counts_are_at_their_limit(const OnThreads& how) {
    constexpr std::size_t pixels = 40;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinity = std::numeric_limits<float>::infinity();
    const float kinds[] = {infinity, -infinity, nan, infinity, infinity};
    std::vector<float> counts, dark, gain, to(pixels);
    for (std::size_t i = 0; i < pixels; ++i) {
        counts.push_back(kinds[i % 5]);
        dark.push_back(i % 5 == 3 ? infinity : 1);
        gain.push_back(i % 5 == 4 ? 0 : 1);
    }
    const Limits limits{0.25F, 8};
    for (const Result result : {Result::transmission, Result::line_integrals}) {
        const Seen seen =
            normalize(Stack<const float>{counts.data(), 0, 0}, {1, 1, pixels},
                      {dark.data(), gain.data()}, limits, result, {to.data(), pixels, pixels}, how);
        CHECK(seen.not_finite == pixels && seen.limited == pixels);
        for (std::size_t i = 0; i < pixels; ++i) {
            const float within = i % 5 == 0 ? limits.most : limits.least;
            const float right = result == Result::transmission ? within : -std::log(within);
            CHECK(std::abs(to[i] - right) < 1e-6F);
        }
    }
}

void what_is_at_a_limit_is_limited(const OnThreads& how) {
    const std::vector<float> counts{0.25F, 0.26F, 7.9F, 8}, dark(4), gain(4, 1);
    std::vector<float> to(4);
    const Seen seen =
        normalize(Stack<const float>{counts.data(), 4, 4}, {1, 1, 4}, {dark.data(), gain.data()},
                  {0.25F, 8}, Result::transmission, {to.data(), 4, 4}, how);
    CHECK(seen.limited == 2 && to == counts);
}

// The least limit's own logarithm: it has all its digits.
void the_least_of_limits_is_a_normal_number(const OnThreads& how) {
    constexpr float least = std::numeric_limits<float>::min();
    const float zero = 0, one = 1;
    float to = 0;
    const auto limited = [&](float from) {
        normalize(Stack<const float>{&zero, 1, 1}, {1, 1, 1}, {&zero, &one}, {from, 1},
                  Result::line_integrals, {&to, 1, 1}, how);
    };
    limited(least);
    CHECK(std::abs(to + std::log(double{least})) < 1e-5);
    for (const float bad :
         {0.0F, -1.0F, std::nextafter(least, 0.0F), 1.0F, std::numeric_limits<float>::quiet_NaN()})
        CHECK_THROWS(std::invalid_argument, limited(bad));
}

void counts_are_normalised_each_by_its_pixel(const OnThreads& how) {
    const Extent extent{5, 3, 37};
    std::mt19937 random(7);
    std::vector<std::uint16_t> counts(5 * 3 * 40);
    for (auto& count : counts) count = static_cast<std::uint16_t>(random());
    std::vector<float> dark(3 * 37), gain(3 * 37), to(5 * 3 * 37);
    for (auto& value : dark) value = static_cast<float>(random() % 200);
    for (auto& value : gain) value = 1.0F / static_cast<float>(20000 + random() % 40000);
    normalize(Stack<const std::uint16_t>{counts.data(), 120, 40}, extent,
              {dark.data(), gain.data()}, {1e-4F, 1e4F}, Result::line_integrals,
              {to.data(), 111, 37}, how);
    for (std::size_t angle = 0; angle < 5; ++angle)
        for (std::size_t row = 0; row < 3; ++row)
            for (std::size_t i = 0; i < 37; ++i) {
                const std::size_t pixel = row * 37 + i;
                const double t = (counts[angle * 120 + row * 40 + i] - double{dark[pixel]}) *
                                 double{gain[pixel]};
                CHECK(std::abs(to[angle * 111 + pixel] + std::log(std::max(t, 1e-4))) < 2e-6);
            }
}

void a_zinger_is_one_image_brighter_than_both_neighbours(const OnThreads& how) {
    const std::size_t columns = 21;
    std::vector<std::uint16_t> images(4 * columns, 1000), to(4 * columns);
    images[0 * columns + 1] = 5000;                            // in the first image
    images[2 * columns + 20] = 1201;                           // just over
    images[2 * columns + 4] = 1200;                            // just not
    images[1 * columns + 9] = images[2 * columns + 9] = 3000;  // twice: no zinger
    images[3 * columns + 7] = 65535;                           // in the last
    const auto stride = static_cast<std::ptrdiff_t>(columns);
    const std::size_t replaced =
        remove_zingers(Stack<const std::uint16_t>{images.data(), stride, stride}, {4, 1, columns},
                       0.2F, {to.data(), stride, stride}, how);
    CHECK(replaced == 3);
    images[1] = images[2 * columns + 20] = images[3 * columns + 7] = 1000;
    CHECK(images == to);
}

// The first and the last image have two neighbours as well, on the same side.
void at_the_ends_the_next_two_images_count(const OnThreads& how) {
    for (const bool last : {false, true}) {
        std::vector<float> images{100, 50, 100, 100}, to(4);
        if (last) std::ranges::reverse(images);
        const auto replaced = remove_zingers(Stack<const float>{images.data(), 1, 1}, {4, 1, 1},
                                             0.2F, {to.data(), 1, 1}, how);
        CHECK(replaced == 0 && to == images);
    }
}

// As the paper says it.
std::vector<float> sorted_and_smoothed(const std::vector<float>& sinogram, std::size_t angles,
                                       std::size_t columns, std::size_t window) {
    std::vector<std::vector<std::size_t>> order(columns, std::vector<std::size_t>(angles));
    for (std::size_t c = 0; c < columns; ++c) {
        std::iota(order[c].begin(), order[c].end(), std::size_t{0});
        std::stable_sort(order[c].begin(), order[c].end(), [&](std::size_t a, std::size_t b) {
            return sinogram[a * columns + c] < sinogram[b * columns + c];
        });
    }
    std::vector<float> result(sinogram.size());
    for (std::size_t rank = 0; rank < angles; ++rank)
        for (std::size_t c = 0; c < columns; ++c) {
            std::vector<float> near;
            for (std::size_t k = 0; k < window; ++k) {
                const auto n = static_cast<std::ptrdiff_t>(columns);
                std::ptrdiff_t at =
                    static_cast<std::ptrdiff_t>(c + k) - static_cast<std::ptrdiff_t>(window / 2);
                while (at < 0 || at >= n) at = at < 0 ? -1 - at : 2 * n - 1 - at;
                const auto there = static_cast<std::size_t>(at);
                near.push_back(sinogram[order[there][rank] * columns + there]);
            }
            std::nth_element(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(window / 2),
                             near.end());
            result[order[c][rank] * columns + c] = near[window / 2];
        }
    return result;
}

void stripes_go_as_in_the_paper(std::size_t angles, std::size_t columns, std::size_t window,
                                const OnThreads& how) {
    std::mt19937 random(static_cast<unsigned>(angles * columns + window));
    std::normal_distribution<float> noise;
    std::vector<float> sinograms(angles * 2 * columns), to(sinograms.size());
    for (float& value : sinograms) value = noise(random);
    sinograms[0] = -0.0F;
    for (std::size_t angle = 0; angle < angles; ++angle)  // many of the same value
        sinograms[angle * 2 * columns + columns / 2] = static_cast<float>(angle % 3);
    const auto stride = static_cast<std::ptrdiff_t>(columns);
    remove_stripes({sinograms.data(), 2 * stride, stride}, {angles, 2, columns}, window,
                   {to.data(), 2 * stride, stride}, how);
    for (std::size_t row = 0; row < 2; ++row) {
        std::vector<float> one;
        for (std::size_t angle = 0; angle < angles; ++angle)
            for (std::size_t c = 0; c < columns; ++c)
                one.push_back(sinograms[(angle * 2 + row) * columns + c]);
        const std::vector<float> right = sorted_and_smoothed(one, angles, columns, window);
        for (std::size_t angle = 0; angle < angles; ++angle)
            for (std::size_t c = 0; c < columns; ++c)
                CHECK(to[(angle * 2 + row) * columns + c] == right[angle * columns + c]);
    }
    remove_stripes({sinograms.data(), 2 * stride, stride}, {angles, 2, columns}, window,
                   {sinograms.data(), 2 * stride, stride}, how);
    CHECK(sinograms == to);
}

void nonsense_is_refused() {
    float value = 1;
    const Stack<const float> from{&value, 1, 1};
    const Stack<float> to{&value, 1, 1};
    CHECK_THROWS(std::invalid_argument, remove_stripes(from, {1, 1, 1}, 4, to));
    CHECK_THROWS(std::invalid_argument, remove_stripes(from, {1, 1, 1}, 1, to));
    CHECK_THROWS(std::invalid_argument, remove_stripes(from, {1, 1, 1}, 3, to, {{}, 0}));
    CHECK_THROWS(std::invalid_argument, remove_stripes(from, {1, 1, 1}, 3, to, {"nosuch"}));
    CHECK_THROWS(std::invalid_argument, remove_zingers(from, {2, 1, 1}, 0.2F, to));
    CHECK_THROWS(std::invalid_argument, remove_zingers(from, {3, 1, 1}, 0, to));
    CHECK_THROWS(std::invalid_argument,
                 normalize(from, {1, 1, 1}, {&value, &value}, {0, 1}, Result::transmission, to));
}

}  // namespace

int main() {
    for (const std::string_view variant : preparation_variants())
        for (const unsigned threads : {1U, 3U}) {
            const OnThreads how{variant, threads};
            counts_are_normalised_each_by_its_pixel(how);
            a_zinger_is_one_image_brighter_than_both_neighbours(how);
            at_the_ends_the_next_two_images_count(how);
            stripes_go_as_in_the_paper(45, 37, 7, how);
            stripes_go_as_in_the_paper(16, 16, 3, how);
            stripes_go_as_in_the_paper(33, 5, 21, how);
            stripes_go_as_in_the_paper(1, 3, 3, how);
            if (threads > 1) continue;
            the_logarithm_is_right_to_two_units_in_the_last_place(how);
            what_tells_nothing_is_limited(how);
            infinite_counts_are_at_their_limit(how);
            what_is_at_a_limit_is_limited(how);
            the_least_of_limits_is_a_normal_number(how);
        }
    nonsense_is_refused();
}
