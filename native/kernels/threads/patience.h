// Waiting in a loop for another thread without keeping it from its CPU for long.
#pragma once

#include <sched.h>

namespace stend::threads {

// Longer than any cache line travels, some 10 us; far shorter than a time slice. Whom another
// thread waits for may not be running, and may need this very CPU.
inline constexpr unsigned looks_before_yielding = 1U << 15;

template <typename Over>
void spin_until(Over&& over) {
    for (unsigned looks = 1; !over(); ++looks)
        if (looks % looks_before_yielding == 0) sched_yield();
}

}  // namespace stend::threads
