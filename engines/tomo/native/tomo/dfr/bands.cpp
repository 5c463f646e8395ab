// Filters and phases in double precision.
#include "tomo/dfr/bands.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>

#include "tomo/ramp.h"

namespace stend::tomo::dfr {
namespace {

using std::numbers::pi;
using Spectrum = std::function<double(std::size_t sample)>;  // at (first + sample) / period

double real(std::size_t n) {
    return static_cast<double>(n);
}

// Where w begins to fall and where it has fallen, in samples of the long period: 6 and 3/8 of the
// decimated row's length, three quarters of what it holds.
constexpr std::size_t falls_from = 6;
std::size_t falls_to(const Geometry& geometry) {
    return geometry.long_period / geometry.decimation * 3 / 8;
}

// w at `frequency` in samples of the long period: two continuous derivatives.
double low_part(const Geometry& geometry, double frequency) {
    const double from = real(falls_from), to = real(falls_to(geometry));
    const double t = std::clamp((frequency - from) / (to - from), 0.0, 1.0);
    return 1 - t * t * t * (10 - 15 * t + 6 * t * t);
}

// A Kaiser-windowed sinc that passes a decimated row's band; its sum is 1.
std::vector<float> low_pass(std::size_t decimation) {
    const auto reach = static_cast<long>(reach_of_decimation(decimation));
    constexpr double shape = 5;
    std::vector<double> taps;
    double sum = 0;
    for (long j = -reach; j <= reach; ++j) {
        const double x = static_cast<double>(j) / real(decimation);
        const double edge = static_cast<double>(j) / (static_cast<double>(reach) + 0.5);
        const double sinc = j == 0 ? 1 : std::sin(pi * x) / (pi * x);
        // I0 to the digits that a window needs.
        double bessel = 1, term = 1;
        for (int k = 1; k < 30; ++k)
            bessel += term *= shape * shape * (1 - edge * edge) / (4.0 * k * k);
        sum += taps.emplace_back(sinc * bessel);
    }
    std::vector<float> scaled;
    for (const double tap : taps) scaled.push_back(static_cast<float>(tap / sum));
    return scaled;
}

// What the low-pass makes of a frequency in cycles a detector pixel, about its middle.
double response(const std::vector<float>& taps, double frequency) {
    const double middle = (real(taps.size()) - 1) / 2;
    double sum = 0;
    for (std::size_t j = 0; j < taps.size(); ++j)
        sum += taps[j] * std::cos(2 * pi * frequency * (real(j) - middle));
    return sum;
}

// Samples from `first` up to the highest frequency wanted.
std::size_t count_from(std::size_t first, std::size_t period, const Geometry& geometry) {
    const auto end = static_cast<std::size_t>(geometry.top * real(period) + 1e-9) + 1;
    return end > first ? end - first : 0;
}

// Each sample stands for itself and its conjugate; zero is its own, and both ends of the band are
// half inside.
double share(std::size_t k, std::size_t period) {
    return k == 0 || 2 * k == period ? 0.5 : 1;
}

// weight × filter × exp(2πi ν s) / period: about where the axis projects to, `later` pixels
// after the transform's own beginning, and seen from the grid's origin.
void set_factors(Band& band, const Plan& plan, const Geometry& geometry, double later,
                 const Spectrum& filter) {
    std::vector<double> scaled(band.count);
    for (std::size_t i = 0; i < band.count; ++i)
        scaled[i] = filter(i) * share(band.first + i, band.period) / real(band.period);
    band.factors.reserve(plan.angles.size() * band.count);
    for (std::size_t a = 0; a < plan.angles.size(); ++a) {
        const double x = geometry.offset * std::cos(plan.angles[a]),
                     y = -geometry.offset * std::sin(plan.angles[a]);
        const double step = 2 * pi * (plan.center + later - x - y) / real(band.period);
        const std::complex<double> turn = std::polar(1.0, step);
        std::complex<double> phase = std::polar(plan.weights[a], step * real(band.first));
        for (const double value : scaled) {
            band.factors.push_back({static_cast<float>(value * phase.real()),
                                    static_cast<float>(value * phase.imag())});
            phase *= turn;
        }
    }
}

Band whole_band(const Plan& plan, const Geometry& geometry) {
    const std::size_t period = geometry.long_period;
    Band band{period, 1, 0, count_from(0, period, geometry), 0, FftPlan(period, -1), {}, {}};
    const std::vector<double> filter = ramp(period, plan.filter);
    set_factors(band, plan, geometry, 0, [&](std::size_t i) { return filter[i]; });
    return band;
}

Band high_band(const Plan& plan, const Geometry& geometry) {
    const std::size_t period = geometry.short_period;
    const std::size_t first = falls_from * period / geometry.long_period;
    const double stretch = real(geometry.long_period) / real(period);
    Band band{period, 1, first, count_from(first, period, geometry), 0, FftPlan(period, -1),
              {},     {}};
    set_factors(band, plan, geometry, 0, [&](std::size_t i) {
        const double frequency = real(first + i) / real(period);
        return frequency * window(plan.filter, frequency) *
               (1 - low_part(geometry, real(first + i) * stretch));
    });
    return band;
}

Band low_band(const Plan& plan, const Geometry& geometry) {
    const std::size_t period = geometry.long_period, step = geometry.decimation;
    const std::size_t count = std::min(falls_to(geometry), count_from(0, period, geometry));
    Band band{period, step, 0, count, 0, FftPlan(period / step, -1), low_pass(step), {}};
    const std::vector<double> filter = ramp(period, plan.filter);
    // The decimated row begins `reach` before the row.
    set_factors(band, plan, geometry, real(reach_of_decimation(step)), [&](std::size_t i) {
        return filter[i] * low_part(geometry, real(i)) * real(step) /
               response(band.taps, real(i) / real(period));
    });
    return band;
}

}  // namespace

std::vector<Band> bands_of(const Plan& plan, const Geometry& geometry) {
    std::vector<Band> bands;
    if (geometry.decimation == 1) {
        bands.push_back(whole_band(plan, geometry));
    } else {
        bands.push_back(high_band(plan, geometry));
        bands.push_back(low_band(plan, geometry));
        bands[1].offset = bands[0].count;
    }
    return bands;
}

std::size_t samples_of(const std::vector<Band>& bands) {
    return bands.back().offset + bands.back().count;
}

bool is_opposite(double angle) {
    return std::cos(angle) < 0;
}

}  // namespace stend::tomo::dfr
