// In which order CPUs are taken, so that threads share a core only when all cores have one.
#pragma once

#include <functional>
#include <vector>

namespace stend {

// Ascending `cpus`: first the first of each core, then the second ones, and so on. `core_of`
// gives the hardware threads of a CPU's core.
std::vector<int> one_a_core_first(std::vector<int> cpus,
                                  const std::function<std::vector<int>(int cpu)>& core_of);

}  // namespace stend
