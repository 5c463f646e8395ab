// Direct Fourier reconstruction by way of half-precision numbers is that by way of floats to 2e-4,
// whatever the data's scale and however far apart they lie; neither lanes nor threads matter.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <stend/tomo.hpp>
#include <string_view>
#include <vector>

#include "check.h"

using namespace stend::tomo;

namespace {

constexpr std::size_t n = 70, turns = 50, picture = n * n, sinogram = turns * n;
constexpr std::size_t slices = 17;  // more than lanes

// What a slice holds: a disk, noise, a disk with a grain of metal in it.
enum class Content : std::uint8_t { disk, noise, grain };
constexpr Content contents[] = {Content::disk, Content::noise, Content::grain};

std::vector<double> angles() {
    std::vector<double> all;
    for (std::size_t i = 0; i < turns; ++i)
        all.push_back(std::numbers::pi * static_cast<double>(i) / turns);
    return all;
}

const ParallelBeam beam{n, angles(), {}};

// A disk of 24 pixels; the grain is one pixel of a thousand times its value, 9 below the middle.
float integral(Content content, std::size_t angle, std::size_t pixel) {
    const double s = static_cast<double>(pixel) - (n - 1) / 2.0;
    if (content == Content::noise)
        return static_cast<float>((angle * 7919 + pixel * 104729) % 1009) / 1009 - 0.5F;
    const double chord = 2 * std::sqrt(std::max(0.0, 24 * 24 - s * s));
    if (content == Content::disk) return static_cast<float>(chord);
    const double from_grain = std::abs(s + 9 * std::sin(beam.angles[angle]));
    return static_cast<float>(chord + 1000 * std::max(0.0, 1 - from_grain));
}

std::vector<float> projected(Content content, int power = 0) {
    std::vector<float> rows;
    for (std::size_t angle = 0; angle < turns; ++angle)
        for (std::size_t pixel = 0; pixel < n; ++pixel)
            rows.push_back(std::ldexp(integral(content, angle, pixel), power));
    return rows;
}

std::vector<float> reconstructed(const std::vector<float>& rows, const Method& method) {
    const std::size_t count = rows.size() / sinogram;
    std::vector<float> made(count * picture, -7);
    Reconstruction(beam, {n}, method)
        .run({rows.data(), sinogram, n}, count, {made.data(), picture, n});
    return made;
}

Method by_halves(std::string_view variant) {
    return {.algorithm = Algorithm::dfr_half, .variant = variant};
}

// The largest difference and the largest value, of rows that are so far from that of the grain.
struct Compared {
    float difference = 0, value = 0;
};
Compared compared(const std::vector<float>& a, const std::vector<float>& b, std::size_t away) {
    Compared most;
    for (std::size_t i = 0; i < picture; ++i) {
        if (i / n + away > 43 && i / n < 43 + away) continue;
        most.difference = std::max(most.difference, std::abs(a[i] - b[i]));
        most.value = std::max(most.value, std::abs(a[i]));
    }
    return most;
}

// Rounding to eleven bits, times up to ten where the kernel's own image is divided out; .0012 were
// seen. Rows away from a grain keep their own bits: no number stands for others but those of its
// lane and column, and each has an exponent.
void halves_are_floats_to_their_bits() {
    for (const std::string_view variant : variants(Algorithm::dfr_half))
        for (const Content content : contents) {
            const std::vector<float> rows = projected(content);
            const auto floats = reconstructed(rows, {.variant = variant}),
                       halves = reconstructed(rows, by_halves(variant));
            for (const std::size_t away : {0, 8}) {
                const Compared most = compared(floats, halves, away);
                CHECK(most.difference < 2e-3F * most.value);
            }
        }
}

// Where they are used: half the image, and other bits.
void sixteen_lanes_use_them() {
    if (std::ranges::count(variants(Algorithm::dfr_half), "avx512") == 0) return;
    const Reconstruction floats(beam, {n}, {.variant = "avx512"}),
        halves(beam, {n}, by_halves("avx512"));
    CHECK(halves.bytes() < floats.bytes());
    const std::vector<float> rows = projected(Content::disk);
    CHECK(reconstructed(rows, {.variant = "avx512"}) != reconstructed(rows, by_halves("avx512")));
}

// Scales are powers of two and each lane's own, so a slice of data times a power of two is the
// slice times that, bit by bit, beside whatever else; from 1e-21 to 1e33.
void scales_change_no_bit() {
    std::vector<float> plain, scaled;
    std::vector<int> powers;
    for (std::size_t slice = 0; slice < slices; ++slice) {
        powers.push_back(static_cast<int>(slice * 7 % slices) * 11 - 70);
        const std::vector<float> one = projected(contents[slice % 3]),
                                 other = projected(contents[slice % 3], powers.back());
        plain.insert(plain.end(), one.begin(), one.end());
        scaled.insert(scaled.end(), other.begin(), other.end());
    }
    for (const std::string_view variant : variants(Algorithm::dfr_half)) {
        auto expected = reconstructed(plain, by_halves(variant));
        for (std::size_t i = 0; i < expected.size(); ++i)
            expected[i] = std::ldexp(expected[i], powers[i / picture]);
        CHECK(reconstructed(scaled, by_halves(variant)) == expected);
        CHECK(reconstructed(scaled, {Algorithm::dfr_half, {}, 0, variant, 3}) == expected);
    }
}

void nothing_stays_nothing_and_no_number_stays_in_its_slice() {
    for (const std::string_view variant : variants(Algorithm::dfr_half)) {
        std::vector<float> rows(3 * sinogram);
        std::ranges::copy(projected(Content::disk), rows.begin());
        rows[2 * sinogram + 4 * n + 7] = std::numeric_limits<float>::infinity();
        const auto made = reconstructed(rows, by_halves(variant));
        const auto alone = reconstructed(projected(Content::disk), by_halves(variant));
        CHECK(std::equal(alone.begin(), alone.end(), made.begin()));
        CHECK(std::count(&made[picture], &made[2 * picture], 0.0F) == picture);
        CHECK(std::isnan(made[2 * picture + n / 2 * n + n / 2]));
    }
}

}  // namespace

int main() {
    halves_are_floats_to_their_bits();
    sixteen_lanes_use_them();
    scales_change_no_bit();
    nothing_stays_nothing_and_no_number_stays_in_its_slice();
}
