// Every way to ask this machine the time, as subjects of measurement: what one reading
// costs, how finely it steps, and the error it puts on a short piece of work. Each is
// watched by the cycle counter, its company, which proves that it told the time.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kernel.h"

namespace stend::clock {

struct Timer {
    std::string_view name;  // as its manual page calls it
    std::string reason;     // a sentence why it can't be read, empty when it can

    bool available() const { return reason.empty(); }
};

std::vector<Timer> timers();

// The kernels below throw std::invalid_argument for a timer that is unknown or can't be
// read here.

// Timed: one reading.
std::unique_ptr<Kernel> read(std::string_view timer);

// Observes one step: how far the timer has moved when it first differs, in seconds.
std::unique_ptr<Kernel> step(std::string_view timer);

// Observes the size of the relative error that the timer puts on work of about `seconds`,
// against the cycle counter read inside the timer's own readings. The work begins at a
// phase of the timer's step that varies evenly. Throws std::invalid_argument unless
// 0 < seconds <= 60.
std::unique_ptr<Kernel> error(std::string_view timer, double seconds);

}  // namespace stend::clock
