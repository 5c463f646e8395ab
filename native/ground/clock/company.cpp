// Reads timer and counter together and compares what they say has passed.
#include "clock/company.h"

#include <cmath>
#include <cstdio>
#include <limits>
#include <thread>

namespace stend::clock {

// Of 16 tries the one whose readings of the counter lie closest about the timer's.
Company::Moment Company::now() const {
    Moment best{0, 0, std::numeric_limits<std::int64_t>::max()};
    for (unsigned i = 0; i < 16; ++i) {
        const std::int64_t before = counter().read();
        const std::int64_t told = timer_.read();
        const std::int64_t apart = counter().read() - before;
        if (apart < best.apart) best = {told, before + apart / 2, apart};
    }
    return best;
}

bool Company::agree(double timer, double counter, double slack) const {
    if (timer_.counts == Counts::elapsed) return std::abs(timer - counter) <= slack;
    const unsigned processors = timer_.counts == Counts::thread_time
                                    ? 1
                                    : std::max(1U, std::thread::hardware_concurrency());
    const bool moved = timer > 0 || counter < 10 * timer_.granularity;
    return moved && timer >= 0 && timer <= counter * processors + slack;
}

Proof Company::part() const {
    const Moment parted = now();
    const double tick = clock::counter().unit;
    const double timer = static_cast<double>(parted.timer - met_.timer) * timer_.unit;
    const double counter = static_cast<double>(parted.counter - met_.counter) * tick;
    const double apart = static_cast<double>(parted.apart + met_.apart) * tick;
    const double steps = timer_.granularity + clock::counter().granularity;
    const double slack = 2 * steps + 1e-3 * counter + apart;
    char said[200];
    std::snprintf(said, sizeof said,
                  "%.*s advanced by %.9g s while the cycle counter advanced by %.9g s "
                  "(slack allowed: %.3g s)",
                  static_cast<int>(timer_.name.size()), timer_.name.data(), timer, counter, slack);
    return {agree(timer, counter, slack), said};
}

}  // namespace stend::clock
