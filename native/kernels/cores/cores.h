// What it takes one CPU to see what another one wrote. Comes in: a CPU; goes out: an observer of
// the way from it to every other CPU that this process may use.
#pragma once

#include <memory>

#include "kernel.h"

namespace stend::cores {

// Two threads, one on `cpu`, one on each other CPU in turn, carry a number to and fro in one cache
// line, each adding one by compare-and-swap. A column "to CPU n s" is half of the mean round trip,
// s; the observation is their median. The line lies where `cpu` first touched it: in memory of its
// node. prepare() throws std::invalid_argument for a CPU that may not be used, and Unavailable
// when it is the only one.
std::unique_ptr<Kernel> row(int cpu);

}  // namespace stend::cores
