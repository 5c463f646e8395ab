// In which order CPUs are taken. All orders are of ascending `cpus`; `core_of` gives the hardware
// threads of a CPU's core, `package_of` the number of its socket.
#pragma once

#include <functional>
#include <vector>

namespace stend {

using CoreOf = std::function<std::vector<int>(int cpu)>;
using PackageOf = std::function<int(int cpu)>;

// First the first of each core, then the second ones, and so on: threads share a core only
// when all cores have one.
std::vector<int> one_a_core_first(std::vector<int> cpus, const CoreOf& core_of);

// The same, dealt round the sockets: the first core of each, then the second of each, and so
// on; no core is shared while any socket has one left.
std::vector<int> scattered(std::vector<int> cpus, const CoreOf& core_of,
                           const PackageOf& package_of);

// One socket after the other: all its cores, then their second hardware threads, before the
// next socket has any.
std::vector<int> compacted(std::vector<int> cpus, const CoreOf& core_of,
                           const PackageOf& package_of);

}  // namespace stend
