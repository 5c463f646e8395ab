// Every variant of filtered back projection gives what the reference gives, whatever the geometry,
// with other data in each lane.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <stend/tomo.hpp>

#include "check.h"
#include "tomo/fbp/scales.h"
#include "tomo/ramp.h"

using namespace stend::tomo;
using std::numbers::pi;

namespace {

struct Scene {
    ParallelBeam beam;
    SliceGrid grid;
    Filter filter = {};
};

std::vector<double> angles_over(std::size_t count, double range, double first = 0) {
    std::vector<double> angles(count);
    for (std::size_t i = 0; i < count; ++i)
        angles[i] = first + range * static_cast<double>(i) / static_cast<double>(count);
    return angles;
}

// Smooth bumps, others in each slice and at each angle, and a little noise.
std::vector<float> sinograms(const ParallelBeam& beam, std::size_t slices) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> some(0, 1);
    std::vector<float> data;
    const auto width = static_cast<float>(beam.detectors);
    for (std::size_t row = 0; row < slices * beam.angles.size(); ++row) {
        const float middle = width * some(random), reach = 1 + width * some(random) / 3;
        for (std::size_t i = 0; i < beam.detectors; ++i) {
            const float from = (static_cast<float>(i) - middle) / reach;
            data.push_back(width * std::exp(-from * from) + some(random));
        }
    }
    return data;
}

std::vector<float> reconstructed(const Scene& scene, const std::vector<float>& data,
                                 std::size_t slices, const Method& method) {
    const std::size_t row = scene.beam.detectors, sinogram = row * scene.beam.angles.size();
    const std::size_t size = scene.grid.size;
    std::vector<float> out(slices * size * size);
    Reconstruction reconstruction(scene.beam, scene.grid, method);
    CHECK(reconstruction.variant() == method.variant);
    CHECK(reconstruction.bytes() > 0);
    reconstruction.run(
        {data.data(), static_cast<std::ptrdiff_t>(sinogram), static_cast<std::ptrdiff_t>(row)},
        slices,
        {out.data(), static_cast<std::ptrdiff_t>(size * size), static_cast<std::ptrdiff_t>(size)});
    return out;
}

Method method_of(Algorithm algorithm, std::string_view variant, const Filter& filter = {},
                 unsigned threads = 1) {
    return {.algorithm = algorithm, .filter = filter, .variant = variant, .threads = threads};
}

double largest(const std::vector<float>& data) {
    double most = 0;
    for (const float x : data) most = std::max(most, std::abs(static_cast<double>(x)));
    return most;
}

double largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        most = std::max(most, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
    return most;
}

// Of a filtered projection times its weight, its largest value and the largest step from a pixel to
// the next or to the zeros around.
struct Row {
    double peak = 0, step = 0;
};

Row filtered(const std::vector<double>& kernel, double weight, const float* row) {
    Row found;
    double before = 0;
    for (std::size_t i = 0; i < kernel.size(); ++i) {
        double q = 0;
        for (std::size_t j = 0; j < kernel.size(); ++j) q += kernel[i > j ? i - j : j - i] * row[j];
        q *= weight;
        found.peak = std::max(found.peak, std::abs(q));
        found.step = std::max(found.step, std::abs(q - before));
        before = q;
    }
    found.step = std::max(found.step, std::abs(before));
    return found;
}

// What bounds the difference of a slice from the reference's: each ray reads its projection within
// half a weight's step of where it should, 2^-12 of a pixel and for 16 bits 2^-11, and 12 halves of
// a position's 2^-20; for 16 bits a weight is rounded to its unit and a sample by a half, and there
// are as many as angles. Single precision: 1e-6 of each ray's largest sample.
double bound(const Scene& scene, Algorithm algorithm, const float* sinogram) {
    const std::vector<double> kernel = impulse_response(scene.filter, scene.beam.detectors);
    const std::vector<double> weights = angle_weights(scene.beam.angles);
    double most = 0, peaks = 0, steps = 0;
    for (std::size_t a = 0; a < weights.size(); ++a) {
        const Row row = filtered(kernel, weights[a], sinogram + a * scene.beam.detectors);
        most = std::max(most, row.peak);
        peaks += row.peak;
        steps += row.step;
    }
    const double single = 1e-6 * peaks;
    if (algorithm == Algorithm::fbp) return steps * (0x1p-12 + 12 * 0x1p-21) + single;
    const double angles = static_cast<double>(weights.size());
    const double unit = fbp::unit(weights.size());
    const double scale = std::min(32767 / most, (0x1p31 / unit - angles) / peaks);
    const double of_weights = unit < 1024 ? 0.5 / unit : 0;
    return steps * (0x1p-11 + 12 * 0x1p-21 + of_weights) + 0.5 * angles / scale + single;
}

void variants_are_the_reference(const Scene& scene) {
    const std::size_t slices = 3, picture = scene.grid.size * scene.grid.size;
    const std::vector<float> data = sinograms(scene.beam, slices);
    const std::vector<float> expected =
        reconstructed(scene, data, slices, method_of(Algorithm::fbp, "reference", scene.filter));
    for (const Algorithm algorithm : {Algorithm::fbp, Algorithm::fbp_int16})
        for (const std::string_view variant : variants(algorithm)) {
            const std::vector<float> got =
                reconstructed(scene, data, slices, method_of(algorithm, variant, scene.filter));
            for (std::size_t slice = 0; slice < slices; ++slice) {
                const double most =
                    bound(scene, algorithm,
                          &data[slice * scene.beam.angles.size() * scene.beam.detectors]);
                for (std::size_t i = slice * picture; i < (slice + 1) * picture; ++i)
                    CHECK(std::abs(got[i] - expected[i]) <= most);
            }
        }
}

void geometries_of_all_kinds() {
    variants_are_the_reference({{64, angles_over(20, pi)}, {64}});
    variants_are_the_reference({{65, angles_over(21, pi)}, {64}});
    variants_are_the_reference({{64, angles_over(20, 3.6, -5)}, {67}});
    variants_are_the_reference({{50, angles_over(20, pi), 13.3}, {70}});
    variants_are_the_reference({{50, angles_over(20, pi), -49.0}, {70}});  // the axis is far off
    variants_are_the_reference({{50, angles_over(20, pi), 99.5}, {70}});
    variants_are_the_reference({{33, angles_over(9, pi)}, {130, 0.3}});
    variants_are_the_reference({{90, angles_over(9, pi)}, {25, 4.1}});
    variants_are_the_reference({{90, angles_over(9, pi)}, {25, 2000}});  // most rays miss
    variants_are_the_reference({{90, angles_over(9, pi)}, {20, 99}});
    variants_are_the_reference({{1, {0.3}}, {1}});
    variants_are_the_reference({{1, {0.3, 1.8}}, {3, 0.25}});
    variants_are_the_reference({{2, {1, 2, 3}}, {5}});
    variants_are_the_reference({{40, {2.5, 0.1, 7, -1, 0.1, 40}}, {40}});
    variants_are_the_reference({{64, angles_over(20, pi)}, {64}, {Window::hann, 0.7}});
    variants_are_the_reference({{64, angles_over(300, pi)}, {24}});  // smaller weights
}

// As many slices as fill the lanes, one more, and one fewer: each is what it is alone.
void slices_do_not_depend_on_their_company() {
    const Scene scene{{37, angles_over(11, pi)}, {37}};
    const std::size_t slices = 33, sinogram = 37 * 11, picture = std::size_t{37} * 37;
    const std::vector<float> data = sinograms(scene.beam, slices);
    for (const Algorithm algorithm : {Algorithm::fbp, Algorithm::fbp_int16})
        for (const std::string_view variant : variants(algorithm)) {
            const Method method = method_of(algorithm, variant);
            const std::vector<float> all = reconstructed(scene, data, slices, method);
            for (const std::size_t slice : {0, 5, 15, 31, 32}) {
                const auto begin = static_cast<std::ptrdiff_t>(slice * sinogram);
                const std::vector<float> one(data.begin() + begin, data.begin() + begin + sinogram);
                const std::vector<float> alone = reconstructed(scene, one, 1, method);
                CHECK(std::equal(alone.begin(), alone.end(),
                                 all.begin() + static_cast<std::ptrdiff_t>(slice * picture)));
            }
        }
}

void threads_change_no_bit() {
    const Scene scene{{90, angles_over(17, pi)}, {150}};
    const std::vector<float> data = sinograms(scene.beam, 2);
    for (const Algorithm algorithm : {Algorithm::fbp, Algorithm::fbp_int16})
        for (const std::string_view variant : variants(algorithm)) {
            const Method one = method_of(algorithm, variant);
            const Method three = method_of(algorithm, variant, {}, 3);
            CHECK(reconstructed(scene, data, 2, one) == reconstructed(scene, data, 2, three));
        }
}

// One pixel that is not a number spoils its slice, and that one alone.
void a_bad_pixel_spoils_its_slice_alone() {
    const Scene scene{{30, angles_over(8, pi)}, {30}};
    const std::size_t sinogram = 30 * 8, picture = 900;
    std::vector<float> good = sinograms(scene.beam, 5);
    std::fill_n(good.begin() + 4 * sinogram, sinogram, 0.0F);
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 3e38F}) {
        std::vector<float> data = good;
        data[2 * sinogram + 100] = bad;
        for (const Algorithm algorithm : {Algorithm::fbp, Algorithm::fbp_int16})
            for (const std::string_view variant : variants(algorithm)) {
                const Method method = method_of(algorithm, variant);
                const std::vector<float> expected = reconstructed(scene, good, 5, method);
                const std::vector<float> got = reconstructed(scene, data, 5, method);
                for (std::size_t i = 0; i < got.size(); ++i) {
                    if (i / picture != 2) CHECK(got[i] == expected[i]);
                    if (i / picture == 4) CHECK(got[i] == 0);
                }
                if (!std::isfinite(bad)) CHECK(std::isnan(got[2 * picture + 15 * 30 + 15]));
            }
    }
}

// All rays' largest sample in one pixel is the largest sum there can be: 32 bits must hold it. Of
// 1203 angles all samples are rounded up.
void a_bead_does_not_overflow() {
    constexpr std::size_t angles = 1203;
    const Scene scene{{31, angles_over(angles, pi)}, {31}};
    for (const float bead : {1.0F, 1e-20F, 1e30F}) {
        std::vector<float> data(31 * angles);
        for (std::size_t a = 0; a < angles; ++a) data[a * 31 + 15] = bead;
        const std::vector<float> expected =
            reconstructed(scene, data, 1, method_of(Algorithm::fbp, "reference"));
        for (const std::string_view variant : variants(Algorithm::fbp_int16)) {
            const std::vector<float> got =
                reconstructed(scene, data, 1, method_of(Algorithm::fbp_int16, variant));
            CHECK(largest_difference(got, expected) < 2e-3 * largest(expected));
        }
    }
}

// A weight's step is as fine as the sum of all angles allows: unit² at most a quarter of 2³¹ /
// angles.
void weights_are_as_fine_as_sums_allow() {
    CHECK(fbp::unit(1) == 1024 && fbp::unit(512) == 1024);
    CHECK(fbp::unit(513) == 512 && fbp::unit(2048) == 512 && fbp::unit(2049) == 256);
}

}  // namespace

int main() {
    geometries_of_all_kinds();
    slices_do_not_depend_on_their_company();
    threads_change_no_bit();
    a_bad_pixel_spoils_its_slice_alone();
    a_bead_does_not_overflow();
    weights_are_as_fine_as_sums_allow();
}
