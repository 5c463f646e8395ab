// The clocks of this machine: which can be used and why not, how fast and how finely
// they tick, what reading them costs, and the core's true frequency.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stend::clock {

enum class Obstacle {
    none,
    other_architecture,
    not_invariant,   // the rate may follow the core's frequency
    no_core_number,  // the instruction that reads clock and core together is missing
    trapped,         // the OS makes reading it a fault
};

struct Source {
    std::string_view name;
    Obstacle obstacle;
    std::string reason;  // a sentence, empty when it can be used

    bool available() const { return obstacle == Obstacle::none; }
};

// All sources that stend knows, best first; the last one is on every POSIX system.
std::vector<Source> sources();

// The first that can be used here.
std::string_view default_name();

// Throws std::invalid_argument unless `name` is a source that can be used here.
void require(std::string_view name);

struct Calibration {
    double hz = 0;              // ticks a second of CLOCK_MONOTONIC_RAW
    double hz_uncertainty = 0;  // half-width of the 95% interval of hz
    double resolution = 0;      // smallest step seen between two readings, s
    double typical_step = 0;    // median step between two readings in a row, s
    double overhead = 0;        // what timing nothing reads, s: the median of means of 64
};

// Takes about `seconds`; throws std::invalid_argument as require() does, or when
// `seconds` is not a positive number.
Calibration calibrate(std::string_view name, double seconds);

// From a calibration of 10 ms, made once: good to about one part in a million, enough
// for deadlines and ratios.
const Calibration& remembered(std::string_view name);

// Cycles a second of the core that runs this, now; NaN where the latencies that it
// stands on don't hold (see core_frequency.cpp). Takes about `seconds`.
double core_frequency(double seconds);

// Cycles that a multiplication takes which waits for the one before it, a whole number; NaN as
// core_frequency(). Takes about `seconds`.
double multiplication_cycles(double seconds);

// CLOCK_MONOTONIC, ns.
std::int64_t monotonic_ns();

}  // namespace stend::clock
