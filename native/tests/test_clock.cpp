// Every clock that can be used runs forwards and at the rate it was calibrated to; every
// timer proves itself in the counter's company, and one that lies is found out.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <thread>

#include "check.h"
#include "clock/chain.h"
#include "clock/company.h"
#include "clock/dispatch.h"
#include "clock/read.h"
#include "clock/timers.h"

using namespace stend;
using namespace stend::clock;

static void a_source_is_available_or_says_why() {
    for (const Source& source : sources()) CHECK(source.available() == source.reason.empty());
    CHECK(sources().back().available());
    CHECK_THROWS(std::invalid_argument, require("sundial"));
    for (const Source& source : sources())
        if (!source.available()) CHECK_THROWS(std::invalid_argument, require(source.name));
}

static void no_clock_runs_backwards() {
    for (const Source& source : sources()) {
        if (!source.available()) continue;
        with_clock(source.name, [](auto clock) {
            std::uint64_t last = clock.begin();
            for (int i = 0; i < 100'000; ++i) {
                const std::uint64_t now = i % 2 ? clock.begin() : clock.end().ticks;
                CHECK(now >= last);
                last = now;
            }
        });
    }
}

// Against a second measurement by two brackets of the OS clock; 8 half-widths and what
// the brackets leave open.
static void the_frequency_agrees_with_the_os_clock() {
    const auto name = default_name();
    const Calibration calibration = calibrate(name, 0.1);
    CHECK(calibration.resolution > 0 && calibration.overhead >= 0);
    CHECK(calibration.typical_step >= calibration.resolution);
    with_clock(name, [&](auto clock) {
        const auto os_before = MonotonicRaw::begin();
        const auto before = clock.begin();
        const auto os_between = MonotonicRaw::begin();
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        const auto os_after = MonotonicRaw::begin();
        const auto after = clock.begin();
        const auto os_end = MonotonicRaw::begin();
        const auto ticks = static_cast<double>(after - before);
        const double most = ticks / (static_cast<double>(os_after - os_between) * 1e-9);
        const double least = ticks / (static_cast<double>(os_end - os_before) * 1e-9);
        CHECK(calibration.hz <= most + 8 * calibration.hz_uncertainty);
        CHECK(calibration.hz >= least - 8 * calibration.hz_uncertainty);
    });
}

static void a_calibration_needs_time() {
    CHECK_THROWS(std::invalid_argument, calibrate(default_name(), 0));
    CHECK_THROWS(std::invalid_argument, calibrate(default_name(), NAN));
}

static void the_chain_multiplies_as_often_as_asked() {
    for (const std::uint64_t times : {0, 1, 2, 15, 16, 17, 1000, 12345})
        CHECK(multiply(1, times) == power(times));
    CHECK(multiply(1, 1000) != power(999));
}

// No core runs at 8 GHz; a chain that the core folds would say so.
static void the_core_frequency_is_plausible_or_unknown() {
    const double hz = core_frequency(0.005);
    CHECK(std::isnan(hz) || (hz > 1e6 && hz < 8e9));
}

static void every_timer_reads_and_proves_itself() {
    for (const Timer& timer : timers()) {
        if (!timer.available()) {
            CHECK_THROWS(std::invalid_argument, read(timer.name));
            continue;
        }
        const auto kernel = read(timer.name);
        kernel->prepare();
        for (int i = 0; i < 10; ++i) {
            kernel->repeat(100);
            CHECK(kernel->check());
        }
        CHECK(kernel->prove().right);
    }
}

static void every_timer_steps_forwards() {
    for (const Timer& timer : timers()) {
        if (!timer.available()) continue;
        const auto kernel = step(timer.name);
        kernel->prepare();
        auto& observer = dynamic_cast<Observer&>(*kernel);
        for (int i = 0; i < 3; ++i) CHECK(took_time(observer.observe()));
        CHECK(kernel->check() && kernel->prove().right);
    }
}

// A coarse timer tells nothing or a whole step of short work: it is wrong by all of it or
// more, but where the work was held up for a large part of a step.
static void the_error_of_a_coarse_timer_is_its_step() {
    const auto kernel = error("times", 1e-4);
    kernel->prepare();
    auto& observer = dynamic_cast<Observer&>(*kernel);
    int wrong_by_all = 0;
    for (int i = 0; i < 5; ++i) {
        wrong_by_all += observer.observe() >= 1;
        CHECK(kernel->check());
    }
    CHECK(wrong_by_all >= 3);
    CHECK(kernel->prove().right);
    CHECK_THROWS(std::invalid_argument, error("times", 0));
    CHECK_THROWS(std::invalid_argument, error("hourglass", 1));
}

// Timers that lie, to see them found out.
static std::int64_t readings = 0;
static std::int64_t turns_back() {
    return ++readings == 500 ? 0 : readings;
}
static std::int64_t runs_double() {
    return 2 * static_cast<std::int64_t>(MonotonicRaw::begin());
}

static void a_timer_that_runs_backwards_is_caught_in_its_batch() {
    const Reader liar{"liar", "", Counts::elapsed, 1e-9, 1e-9, turns_back, nullptr};
    ReadKernel<turns_back> kernel(liar);
    kernel.repeat(499);
    CHECK(kernel.check());
    kernel.repeat(1);
    CHECK(!kernel.check() && !kernel.prove().right);
}

static void a_timer_that_runs_too_fast_is_disproved() {
    const Reader liar{"liar", "", Counts::elapsed, 1e-9, 1e-9, runs_double, nullptr};
    ReadKernel<runs_double> kernel(liar);
    kernel.prepare();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    kernel.repeat(10);
    CHECK(kernel.check());
    CHECK(!kernel.prove().right);
}

int main() {
    a_source_is_available_or_says_why();
    no_clock_runs_backwards();
    the_frequency_agrees_with_the_os_clock();
    a_calibration_needs_time();
    the_chain_multiplies_as_often_as_asked();
    the_core_frequency_is_plausible_or_unknown();
    every_timer_reads_and_proves_itself();
    every_timer_steps_forwards();
    the_error_of_a_coarse_timer_is_its_step();
    a_timer_that_runs_backwards_is_caught_in_its_batch();
    a_timer_that_runs_too_fast_is_disproved();
}
