// Back projection by the fast Hough transform: digital lines stay near the exact ones, every
// variant gives what the reference does, and the Shepp–Logan phantom comes back as exactly as is
// claimed. With an argument, without what takes an emulator long.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <random>
#include <stend/tomo.hpp>

#include "check.h"
#include "tomo/hfbp/lines.h"
#include "tomo/hfbp/ramp_taps.h"
#include "tomo/hfbp/recursive_ramp.h"
#include "tomo/hfbp/strips.h"
#include "tomo/lanes/portable.h"

using namespace stend::tomo;
using std::numbers::pi;

namespace {

constexpr Algorithm both[] = {Algorithm::hfbp, Algorithm::hfbp_fine};

struct Case {
    ParallelBeam beam;
    SliceGrid grid;

    std::size_t projection() const { return beam.detectors; }
    std::size_t sinogram() const { return beam.angles.size() * beam.detectors; }
    std::size_t slice() const { return grid.size * grid.size; }
};

std::vector<double> turn(std::size_t count, double range = pi, double first = 0) {
    std::vector<double> angles(count);
    for (std::size_t i = 0; i < count; ++i)
        angles[i] = first + range * static_cast<double>(i) / static_cast<double>(count);
    return angles;
}

// Noise over a smooth hill, of another height in each slice.
std::vector<float> sinograms(const Case& of, std::size_t slices) {
    std::mt19937 random(7);
    std::normal_distribution<float> normal;
    std::vector<float> all;
    for (std::size_t slice = 0; slice < slices; ++slice)
        for (std::size_t i = 0; i < of.sinogram(); ++i) {
            const double x =
                static_cast<double>(i % of.projection()) / static_cast<double>(of.projection());
            const double height = std::pow(10, static_cast<double>(slice % 9) - 4);
            all.push_back(static_cast<float>(height * (std::sin(pi * x) + 0.1 * normal(random))));
        }
    return all;
}

std::vector<float> reconstructed(const Case& of, const Method& method,
                                 const std::vector<float>& sinograms) {
    const std::size_t slices = sinograms.size() / of.sinogram();
    std::vector<float> all(slices * of.slice(), -1.0F);
    Reconstruction reconstruction(of.beam, of.grid, method);
    reconstruction.run({sinograms.data(), static_cast<std::ptrdiff_t>(of.sinogram()),
                        static_cast<std::ptrdiff_t>(of.projection())},
                       slices,
                       {all.data(), static_cast<std::ptrdiff_t>(of.slice()),
                        static_cast<std::ptrdiff_t>(of.grid.size)});
    return all;
}

// What 16-bit arithmetic may cost, from the largest values of the filtered projections and of the
// steps between their pixels: roundings are at most 1.75 words of a pixel a projection (units.h),
// and a projection is read within 1/128 of a pixel of where it should. Transforms in single
// precision: 1e-5. The ramp by recursion differs from the ramp by no more than 6.5e-5 in all
// (the_recursive_ramp_is_the_ramp).
double tolerance(const Case& of, const float* sinogram) {
    const std::size_t n = of.projection(), angles = of.beam.angles.size();
    const std::vector<double> weights = angle_weights(of.beam.angles);
    double peaks = 0, highest = 0, steps = 0, ramps = 0;
    for (std::size_t angle = 0; angle < angles; ++angle) {
        double peak = 0, step = 0, before = 0, largest = 0;
        for (std::size_t i = 0; i < n; ++i) {
            double q = 0;
            largest = std::max<double>(largest, std::abs(sinogram[angle * n + i]));
            for (std::size_t j = 0; j < n; ++j) {
                const double d = static_cast<double>(i) - static_cast<double>(j);
                const double odd = (i + j) % 2 == 1 ? -1 / (pi * pi * d * d) : 0;
                q += (i == j ? 0.25 : odd) * sinogram[angle * n + j];
            }
            peak = std::max(peak, std::abs(q));
            step = std::max(step, std::abs(q - (i == 0 ? 0 : before)));
            before = q;
        }
        peaks += peak * weights[angle];
        highest = std::max(highest, peak * weights[angle]);
        steps += step * weights[angle];
        ramps += 6.5e-5 * largest * weights[angle];
    }
    const double count = static_cast<double>(angles);
    const double word = 2.02 * std::max(peaks / (32767 - 2 * count), highest / 8191);
    return 1.75 * count * word + steps / 128 + 1e-5 * peaks + ramps;
}

void every_variant_is_the_reference(const Case& of, const std::vector<float>& in,
                                    Window window = Window::ram_lak) {
    std::vector<double> most;
    for (std::size_t first = 0; first < in.size(); first += of.sinogram())
        most.push_back(tolerance(of, &in[first]));
    for (const Algorithm algorithm : both) {
        Method method{.algorithm = algorithm, .filter = {window}, .variant = "reference"};
        const std::vector<float> expected = reconstructed(of, method, in);
        for (const std::string_view variant : variants(algorithm)) {
            if (variant == "reference") continue;
            method.variant = variant;
            const std::vector<float> got = reconstructed(of, method, in);
            for (std::size_t i = 0; i < got.size(); ++i)
                CHECK(std::abs(got[i] - expected[i]) <= most[i / of.slice()]);
        }
    }
}

void every_variant_is_the_reference(const Case& of, Window window = Window::ram_lak) {
    every_variant_is_the_reference(of, sinograms(of, 3), window);
}

// A point on the axis: all projections' largest values meet in one pixel, which is the bound that
// units are chosen by.
void sums_fit_when_all_peaks_meet(const std::vector<double>& angles) {
    const Case of{{33, angles}, {33}};
    std::vector<float> in(of.sinogram());
    for (std::size_t angle = 0; angle < angles.size(); ++angle) in[angle * 33 + 16] = 1;
    every_variant_is_the_reference(of, in);
}

bool same(const float* a, const float* b, std::size_t count) {
    return std::memcmp(a, b, count * sizeof(float)) == 0;
}

void neither_threads_nor_neighbours_change_a_slice() {
    const Case of{{61, turn(40, 210 * pi / 180), 28.3}, {150, 0.4}};
    const std::vector<float> in = sinograms(of, 35);
    for (const Algorithm algorithm : both)
        for (const std::string_view variant : variants(algorithm)) {
            if (variant == "reference") continue;
            const std::vector<float> together =
                reconstructed(of, {.algorithm = algorithm, .variant = variant}, in);
            const std::vector<float> threads =
                reconstructed(of, {.algorithm = algorithm, .variant = variant, .threads = 3}, in);
            CHECK(same(threads.data(), together.data(), together.size()));
            for (const std::size_t slice : {std::size_t{4}, std::size_t{34}}) {
                const auto from = in.begin() + static_cast<std::ptrdiff_t>(slice * of.sinogram());
                const std::vector<float> alone =
                    reconstructed(of, {.algorithm = algorithm, .variant = variant},
                                  {from, from + static_cast<std::ptrdiff_t>(of.sinogram())});
                CHECK(same(alone.data(), &together[slice * of.slice()], of.slice()));
            }
        }
}

void what_is_no_number_stays_in_its_slice() {
    const Case of{{32, turn(21)}, {32}};
    const std::vector<float> good = sinograms(of, 3);
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()})
        for (const std::string_view variant : variants(Algorithm::hfbp))
            for (const std::size_t at : {0U, 1U, 64U, 344U, 345U, 670U, 671U}) {
                const Method method{.algorithm = Algorithm::hfbp, .variant = variant};
                std::vector<float> in = good;
                in[of.sinogram() + at] = bad;
                const std::vector<float> expected = reconstructed(of, method, good);
                const std::vector<float> got = reconstructed(of, method, in);
                CHECK(same(got.data(), expected.data(), of.slice()));
                CHECK(same(&got[2 * of.slice()], &expected[2 * of.slice()], of.slice()));
                CHECK(!std::isfinite(got[of.slice() + of.slice() / 2]));
            }
}

void nothing_comes_from_nothing() {
    const Case of{{20, turn(9)}, {21}};
    for (const std::string_view variant : variants(Algorithm::hfbp))
        for (const float x : reconstructed(of, {.algorithm = Algorithm::hfbp, .variant = variant},
                                           std::vector<float>(of.sinogram())))
            CHECK(x == 0);
}

void more_projections_than_16_bits_hold_are_refused() {
    const auto make = [](std::size_t angles) {
        Reconstruction({4, turn(angles)}, {4}, {.algorithm = Algorithm::hfbp});
    };
    make(8192);
    CHECK_THROWS(std::invalid_argument, make(8193));
}

// Each halving moves a line by at most half a position, at its slope's end, and 1/4 on the whole
// (Brady 1998 proves log₂(width) / 6 for another rounding); a leaf rounds by half a position.
void digital_lines_are_near_the_exact_ones() {
    for (const unsigned fine : {1U, 2U, 3U})
        for (const unsigned leaf : {1U, 4U, 8U})
            for (unsigned width = 1; width <= 70; ++width) {
                const hfbp::Ladder ladder{fine, leaf};
                const double levels =
                    width > leaf ? std::ceil(std::log2(static_cast<double>(width) / leaf)) : 0;
                for (unsigned shift = 0; shift <= ladder.last_shift(width); ++shift) {
                    for (const hfbp::Half& half : {hfbp::upper(width), hfbp::lower(width)})
                        CHECK(width == 1 || half.start(shift) + ladder.last_shift(half.width) <=
                                                ladder.last_shift(width));
                    for (unsigned row = 0; row < width; ++row) {
                        const double exact = width == 1 ? 0 : shift * row / (width - 1.0);
                        const double got = hfbp::moved_in(ladder, width, shift, row);
                        CHECK(std::abs(got - exact) <= 0.5 + 0.75 * levels + 1e-9);
                    }
                }
            }
}

// The lines that share a direction's weight share it so that their slopes are the direction's.
void lines_share_a_direction_by_its_slope() {
    std::vector<hfbp::Direction> directions;
    for (unsigned angle = 0; angle <= 90; ++angle) directions.push_back({angle, 1, angle / 90.0});
    for (const hfbp::Ladder ladder : {hfbp::Ladder{1, 4}, hfbp::Ladder{2, 16}})
        for (const unsigned width : {1U, 2U, 13U, 16U, 40U, 128U}) {
            const std::vector<hfbp::Fit> lines = hfbp::fits(width, ladder);
            CHECK(std::ranges::is_sorted(lines, {}, &hfbp::Fit::slope));
            std::vector<double> weight(91), slope(91);
            const auto of_shift = hfbp::shares(directions, false, lines);
            for (std::size_t shift = 0; shift < of_shift.size(); ++shift)
                for (const auto& [direction, part] : of_shift[shift]) {
                    weight[direction.angle] += part;
                    slope[direction.angle] += part * lines[shift].slope;
                }
            for (unsigned angle = 0; angle <= 90; ++angle) {
                CHECK(std::abs(weight[angle] - 1) < 1e-6);
                CHECK(std::abs(slope[angle] - std::min(angle / 90.0, lines.back().slope)) < 1e-6);
            }
        }
}

double ramp(std::size_t distance) {
    if (distance == 0) return 0.25;
    return distance % 2 == 0 ? 0 : -1 / std::pow(pi * static_cast<double>(distance), 2);
}

// Its impulse response at the row's first pixel and in its middle; and of a constant row the sum,
// which is what the middle tap is for.
void the_recursive_ramp_is_the_ramp(std::size_t pixels) {
    using L = Portable;
    const hfbp::RampTaps taps(pixels);
    constexpr std::size_t reach = hfbp::RampTaps::reach;
    // What the fit of the poles (fit_ramp.py) leaves; on longer rows the middle tap makes up for
    // more.
    const double fit = pixels <= 4096 ? 4e-6 : 1.4e-5;
    double kernel_sum = 0, exact_sum = 0;
    for (const std::size_t hit : {std::size_t{0}, pixels / 2}) {
        std::vector<Complex<L>> in(pixels + 2 * reach), out(pixels);
        in[reach + hit] = {broadcast<L>(1), broadcast<L>(-2)};
        hfbp::ramp_by_recursion<L>(taps, in.data() + reach, pixels, out.data());
        double difference = 0;
        for (std::size_t i = 0; i < pixels; ++i) {
            const std::size_t distance = i > hit ? i - hit : hit - i;
            const double exact = ramp(distance);
            CHECK(std::abs(out[i].re[0] - exact) < fit);
            CHECK(std::abs(out[i].im[3] + 2 * exact) < 2 * fit);
            difference += std::abs(out[i].re[0] - exact);
            if (hit == 0) kernel_sum += out[i].re[0] * (distance == 0 ? 1 : 2);
            if (hit == 0) exact_sum += exact * (distance == 0 ? 1 : 2);
        }
        CHECK(difference < 6.5e-5);
    }
    CHECK(std::abs(kernel_sum - exact_sum) < 1e-8);
}

struct Ellipse {
    double value, a, b, x, y, degrees;
};

// Shepp and Logan, IEEE Trans. Nucl. Sci. 21(3), 1974, with Toft's contrasts; in halves of the
// image's side.
constexpr Ellipse shepp_logan[] = {
    {1, .69, .92, 0, 0, 0},        {-.8, .6624, .874, 0, -.0184, 0},
    {-.2, .11, .31, .22, 0, -18},  {-.2, .16, .41, -.22, 0, 18},
    {.1, .21, .25, 0, .35, 0},     {.1, .046, .046, 0, .1, 0},
    {.1, .046, .046, 0, -.1, 0},   {.1, .046, .023, -.08, -.605, 0},
    {.1, .023, .023, 0, -.606, 0}, {.1, .023, .046, .06, -.605, 0},
};
constexpr int parts = 8;  // of a pixel

double part_of(int part) {
    return (part + 0.5) / parts - 0.5;
}

std::vector<float> phantom_projections(std::size_t n, const std::vector<double>& angles) {
    const double half = static_cast<double>(n) / 2;
    std::vector<float> rows;
    for (const double angle : angles)
        for (std::size_t i = 0; i < n; ++i) {
            double sum = 0;
            for (const Ellipse& e : shepp_logan) {
                const double turned = angle - e.degrees * pi / 180;
                const double c = e.a * std::cos(turned), s = e.b * std::sin(turned);
                const double width = c * c + s * s;
                for (int part = 0; part < parts; ++part) {
                    const double d = (static_cast<double>(i) + part_of(part) + 0.5 - half) / half -
                                     e.x * std::cos(angle) - e.y * std::sin(angle);
                    if (d * d < width)
                        sum += 2 * e.value * e.a * e.b / width * std::sqrt(width - d * d);
                }
            }
            rows.push_back(static_cast<float>(sum * half / parts));
        }
    return rows;
}

double phantom_pixel(std::size_t n, std::size_t row, std::size_t column) {
    const double half = static_cast<double>(n) / 2;
    double sum = 0;
    for (const Ellipse& e : shepp_logan) {
        const double c = std::cos(e.degrees * pi / 180), s = std::sin(e.degrees * pi / 180);
        for (int part = 0; part < parts * parts; ++part) {
            const double across = part_of(part % parts), down = part_of(part / parts);
            const double x = (static_cast<double>(column) + across + 0.5 - half) / half - e.x;
            const double y = -(static_cast<double>(row) + down + 0.5 - half) / half - e.y;
            const double u = (x * c + y * s) / e.a, v = (y * c - x * s) / e.b;
            sum += u * u + v * v <= 1 ? e.value : 0;
        }
    }
    return sum / (parts * parts);
}

void the_phantom_comes_back() {
    const std::size_t n = 511;
    const Case of{{n, turn(360)}, {n}};
    const std::vector<float> in = phantom_projections(n, of.beam.angles);
    std::vector<double> exact(of.slice());
    for (std::size_t i = 0; i < exact.size(); ++i) exact[i] = phantom_pixel(n, i / n, i % n);
    const auto rmse = [&](const std::vector<float>& image) {
        double squares = 0, count = 0;
        for (std::size_t i = 0; i < image.size(); ++i) {
            const double x = static_cast<double>(i % n) - 255, y = static_cast<double>(i / n) - 255;
            if (x * x + y * y > 245.5 * 245.5) continue;  // ten pixels inside
            squares += (image[i] - exact[i]) * (image[i] - exact[i]);
            ++count;
        }
        return std::sqrt(squares / count);
    };
    for (const std::string_view variant : variants(Algorithm::hfbp)) {
        if (variant == "reference") continue;
        CHECK(rmse(reconstructed(of, {.algorithm = Algorithm::hfbp, .variant = variant}, in)) <=
              0.025);
        CHECK(rmse(reconstructed(of, {.algorithm = Algorithm::hfbp_fine, .variant = variant},
                                 in)) <= 0.0178);
    }
}

// Scratch is for the first one.
void the_first_strip_is_the_widest() {
    for (std::size_t size = 1; size < 3000; ++size) {
        const std::vector<unsigned> cuts = hfbp::cuts(size, hfbp::strip_width(size));
        CHECK(cuts.front() == 0 && cuts.back() == size);
        for (std::size_t i = 1; i < cuts.size(); ++i)
            CHECK(cuts[i] > cuts[i - 1] && cuts[i] - cuts[i - 1] <= cuts[1]);
    }
}

}  // namespace

int main(int count, char**) {
    the_first_strip_is_the_widest();
    digital_lines_are_near_the_exact_ones();
    lines_share_a_direction_by_its_slope();
    for (const std::size_t pixels : {1U, 2U, 3U, 5U, 6U, 7U, 64U, 511U, 4096U, 32768U})
        the_recursive_ramp_is_the_ramp(pixels);
    every_variant_is_the_reference({{1, {0.3}}, {1}});
    every_variant_is_the_reference({{7, {0.2, 2.0}}, {5}});
    every_variant_is_the_reference({{40, turn(30)}, {33}});
    every_variant_is_the_reference({{40, turn(31)}, {34}}, Window::hann);
    every_variant_is_the_reference({{33, turn(31, 1.25 * pi, -2), 12.4}, {52, 0.6}});
    every_variant_is_the_reference({{50, turn(24, 2 * pi, 0.01)}, {17, 2.7}});
    every_variant_is_the_reference({{64, {0, pi / 2, pi / 4, 3 * pi / 4, 1, 4}, 80}, {150, 0.5}});
    neither_threads_nor_neighbours_change_a_slice();
    what_is_no_number_stays_in_its_slice();
    nothing_comes_from_nothing();
    more_projections_than_16_bits_hold_are_refused();
    sums_fit_when_all_peaks_meet(turn(300));
    sums_fit_when_all_peaks_meet(std::vector<double>(40, 0.0));
    sums_fit_when_all_peaks_meet(std::vector<double>(40, 0.3));
    if (count > 1) return 0;
    const Case wide{{150, turn(5)}, {1301, 0.115}};  // strips of 40 rows, 31 and 30
    every_variant_is_the_reference(wide, sinograms(wide, 1));
    the_phantom_comes_back();
}
