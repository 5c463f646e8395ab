// A timer in the company of the cycle counter: both are read at two moments, and what
// they say has passed must agree.
#pragma once

#include "clock/readers.h"

namespace stend::clock {

class Company {
public:
    explicit Company(const Reader& timer) : timer_(timer) {}

    // The first moment: now.
    void meet() { met_ = now(); }

    // The second moment. Elapsed-time timers must have advanced as the counter has,
    // within two steps of each, a thousandth (the OS may slew a clock by 500 ppm, adjtimex(2))
    // and the time between the two readings; processor-time timers by no more than that
    // on each of the machine's processors, and by more than nothing after ten steps.
    Proof part() const;

private:
    struct Moment {
        std::int64_t timer = 0, counter = 0;  // each in its own units
        std::int64_t apart = 0;               // between them at most, in the counter's
    };
    Moment now() const;
    bool agree(double timer, double counter, double slack) const;

    const Reader& timer_;
    Moment met_;
};

}  // namespace stend::clock
