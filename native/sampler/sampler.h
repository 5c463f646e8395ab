// The timed loop: repeats a kernel, keeps every repetition with its start, duration,
// core and whether it was preempted, and looks after each whether the work was right.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kernel.h"

namespace stend {

// A further value of each repetition, which the kernel gave.
struct Also {
    std::string name;
    std::vector<double> values;
};

// What was collected, one column a fact, all equally long.
struct Repetitions {
    std::vector<std::int64_t> started;    // ticks since the sampler's origin
    std::vector<std::int64_t> ticks;      // duration
    std::vector<std::int64_t> core;       // it ended on; -1 where the OS does not tell
    std::vector<std::int64_t> preempted;  // 1 when the scheduler or a signal came between
    std::vector<double> values;           // what an Observer reported, else empty
    std::vector<Also> also;               // in the order of the kernel's columns()
    bool observed = false;
    bool right = true;  // false: check() failed after the last repetition

    std::size_t size() const { return ticks.size(); }
};

class Sampler {
public:
    // `kernel` must outlive this and be prepared before the first collect(). Throws
    // std::invalid_argument when `clock` can't be used here.
    Sampler(Kernel& kernel, std::string_view clock);

    // CLOCK_MONOTONIC when this sampler's ticks were 0, ns.
    std::int64_t origin() const { return origin_; }

    // Makes up to `count` repetitions of `batch` executions each and stops early after
    // `seconds` (at least one is made) or at the first failed check(). About every 50 ms,
    // between repetitions, calls `look`, which may throw to end it. Throws
    // std::invalid_argument for a batch or count of 0, a time below 0 or that is no number,
    // or a batch other than 1 of an Observer.
    Repetitions collect(std::uint64_t batch, std::uint64_t count, double seconds,
                        const std::function<void()>& look = {});

private:
    Kernel& kernel_;
    std::string clock_;
    std::uint64_t zero_ = 0;
    std::int64_t origin_ = 0;
};

}  // namespace stend
