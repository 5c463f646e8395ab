// Waking threads that are blocked on a condition variable. Comes in: how many are blocked, under
// which conditions; goes out: observers, each observation one wake-up of one or of all:
//   wake_one  from pthread_cond_signal until the woken thread runs, holding the mutex
//   wake_all  from pthread_cond_broadcast until the last of them has run so, s in all
// The condition is made true under the mutex, which is free again when the signal is given. Before
// each observation all have counted themselves blocked, and had a pause to fall asleep in.
// Bound, the waker sits on the first CPU and the sleepers are dealt round the others.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

#include "kernel.h"
#include "kernels/threads/conditions.h"
#include "kernels/threads/start.h"

namespace stend::threads {

// How a test has it: what makes threads, and how long sleepers may take before one is given up.
struct Means {
    Create make = pthread_create;
    std::chrono::seconds patience{60};
};

// Throw std::invalid_argument for none blocked; prepare() throws CannotStart when the system
// doesn't make so many threads, after those that were made have ended.
std::unique_ptr<Kernel> wake_one(std::uint64_t blocked, const Conditions& conditions,
                                 const Means& means = {});
std::unique_ptr<Kernel> wake_all(std::uint64_t blocked, const Conditions& conditions,
                                 const Means& means = {});

}  // namespace stend::threads
