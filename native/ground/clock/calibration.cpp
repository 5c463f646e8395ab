// Frequency against CLOCK_MONOTONIC_RAW, resolution and overhead of a clock.
//
// Frequency: at 16 moments spread over the time given, the OS clock is read between two
// readings of the clock; of 64 such brackets the tightest is kept, which nothing
// interrupted. A straight line through the 16 points gives the frequency, and Student's t
// on its slope the uncertainty: what is the same in every bracket (which of the two
// readings the OS clock is nearer to) shifts the line and not its slope.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "clock/dispatch.h"

namespace stend::clock {
namespace {

constexpr unsigned moments = 16;
constexpr double t_975_14 = 2.1448;  // Student's t, 97.5%, 16 - 2 degrees of freedom

struct Line {
    double slope, slope_error;
};

// Least squares with centred sums (Draper and Smith, Applied Regression Analysis, 1.2-1.4).
Line fit(const std::array<double, moments>& x, const std::array<double, moments>& y) {
    const double mean_x = std::accumulate(x.begin(), x.end(), 0.0) / moments;
    const double mean_y = std::accumulate(y.begin(), y.end(), 0.0) / moments;
    double xx = 0, xy = 0, rest = 0;
    for (unsigned i = 0; i < moments; ++i) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
    }
    const double slope = xy / xx;
    for (unsigned i = 0; i < moments; ++i) {
        const double residual = y[i] - mean_y - slope * (x[i] - mean_x);
        rest += residual * residual;
    }
    return {slope, std::sqrt(rest / (moments - 2) / xx)};
}

struct Point {
    std::uint64_t os_ns, ticks, width;
};

template <typename Clock>
Point bracket() {
    const std::uint64_t before = Clock::begin();
    const std::uint64_t os = MonotonicRaw::begin();
    const std::uint64_t after = Clock::end().ticks;
    return {os, before + (after - before) / 2, after - before};
}

template <typename Clock>
Point tightest_bracket() {
    Point best = bracket<Clock>();
    for (unsigned i = 1; i < 64; ++i)
        best = std::min(best, bracket<Clock>(), [](auto a, auto b) { return a.width < b.width; });
    return best;
}

template <typename Clock>
Line frequency(double seconds) {
    const auto pause = std::chrono::duration<double>(seconds / (moments - 1));
    std::array<double, moments> x{}, y{};
    const Point first = tightest_bracket<Clock>();
    for (unsigned i = 1; i < moments; ++i) {
        std::this_thread::sleep_for(pause);
        const Point point = tightest_bracket<Clock>();
        x[i] = static_cast<double>(point.os_ns - first.os_ns) * 1e-9;
        y[i] = static_cast<double>(point.ticks - first.ticks);
    }
    // The OS clock counts whole nanoseconds; no line through its readings is surer.
    const Line line = fit(x, y);
    return {line.slope, std::max(line.slope_error, line.slope * 1e-9 / seconds / t_975_14)};
}

template <typename Clock>
Line frequency_of(Clock, double seconds) {
    return frequency<Clock>(seconds);
}

// The OS clock itself: exact, for it is what the others are compared with.
Line frequency_of(MonotonicRaw, double) {
    return {1e9, 0};
}

template <typename Value>
double median(std::vector<Value> values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return static_cast<double>(*middle);
}

// Steps between readings in a row; those of nought, of a clock coarser than its reading
// takes, are left out, and readings go on until enough others are seen.
template <typename Clock>
std::vector<std::uint64_t> steps() {
    constexpr unsigned enough = 4096;
    std::vector<std::uint64_t> found;
    found.reserve(enough);
    std::uint64_t last = Clock::begin();
    for (unsigned i = 0; i < 64 * enough && found.size() < enough; ++i) {
        const std::uint64_t now = Clock::begin();
        if (now != last) found.push_back(now - last);
        last = now;
    }
    return found;
}

// Timings of nothing, as means of 64: a coarse clock reads nought on most of them.
template <typename Clock>
std::vector<double> timings_of_nothing() {
    constexpr unsigned together = 64;
    std::vector<double> found(64);
    for (double& mean : found) {
        std::uint64_t sum = 0;
        for (unsigned i = 0; i < together; ++i) {
            const std::uint64_t before = Clock::begin();
            sum += Clock::end().ticks - before;
        }
        mean = static_cast<double>(sum) / together;
    }
    return found;
}

template <typename Clock>
Calibration calibrated(Clock clock, double seconds) {
    const Line line = frequency_of(clock, seconds);
    const auto stepped = steps<Clock>();
    if (stepped.empty()) throw std::runtime_error("The clock stands still: it shows no step.");
    Calibration result;
    result.hz = line.slope;
    result.hz_uncertainty = t_975_14 * line.slope_error;
    result.resolution = static_cast<double>(std::ranges::min(stepped)) / line.slope;
    result.typical_step = median(stepped) / line.slope;
    result.overhead = median(timings_of_nothing<Clock>()) / line.slope;
    return result;
}

}  // namespace

Calibration calibrate(std::string_view name, double seconds) {
    if (!(seconds > 0 && seconds < 3600))
        throw std::invalid_argument(
            "A clock can be calibrated for more than 0 and less than "
            "3600 s, not for " +
            std::to_string(seconds) + " s.");
    return with_clock(name, [&](auto clock) { return calibrated(clock, seconds); });
}

const Calibration& remembered(std::string_view name) {
    static std::mutex one_at_a_time;
    static std::map<std::string, Calibration, std::less<>> calibrations;
    const std::lock_guard lock(one_at_a_time);
    const auto found = calibrations.find(name);
    if (found != calibrations.end()) return found->second;
    return calibrations.emplace(name, calibrate(name, 0.01)).first->second;
}

}  // namespace stend::clock
