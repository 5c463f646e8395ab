// What the OS and the hypervisor take of a core that only computes. Comes in: a CPU; goes out:
// observers of three kinds, each sitting on that CPU:
//   quantum  fixed work, again and again (FWQ: Sottile and Minnich 2004, "Analysis of
//            microbenchmarks for performance tuning of clusters")
//   lost     the share of a window that passes in detours (selfish detour: Beckman et al. 2006,
//            "The influence of operating systems on the performance of collective operations at
//            extreme scale"; Hoefler et al. 2010, "Characterizing the influence of system noise on
//            large-scale applications by simulation", netgauge)
//   detour   the length of the next detour
// All throw std::invalid_argument for a time that is no positive number or above 60 s;
// prepare() does for a CPU that may not be used.
#pragma once

#include <cstdint>
#include <memory>

#include "kernel.h"

namespace stend::noise {

// Multiplications, each waiting for the one before it, that `seconds` stand for: as many as a core
// of 3 GHz makes in that time at three cycles each. Not fitted to the machine, so that figures
// of two runs are of the same work.
std::uint64_t multiplications(double seconds);

// Observes how long multiplications(seconds) take, s.
std::unique_ptr<Kernel> quantum(double seconds, int cpu);

// Observes the share of `window`, s, that passed in detours, between 0 and 1.
std::unique_ptr<Kernel> lost(double window, int cpu);

// Observes how long the next detour lasts, s; NaN when none came within `patience`, s.
std::unique_ptr<Kernel> detour(double patience, int cpu);

}  // namespace stend::noise
