// What the kernel's files tell of memory nodes.
#pragma once

#include <vector>

namespace stend::nodes {

// Those of the machine, in ascending order. A kernel without NUMA has all memory on node 0.
std::vector<int> online();

// Without those whose memory this process is denied.
std::vector<int> usable();

// The CPUs of a node; of one that has memory alone (CXL, HBM), those of the nearest node with some.
std::vector<int> cpus(int node);

bool has_memory(int node);

}  // namespace stend::nodes
