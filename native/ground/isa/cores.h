// Which hardware threads share a core, and which socket they are in, as the system tells it.
#pragma once

#include <iosfwd>
#include <vector>

namespace stend::isa {

// The numbers of a list as the kernel writes it, "0-3,8"; empty when nothing can be read.
std::vector<int> listed(std::istream& file);

// The hardware threads of this CPU's core, itself among them; empty where the OS doesn't tell.
std::vector<int> core_of(int cpu);

// The number of this CPU's socket; -1 where the OS doesn't tell.
int package_of(int cpu);

}  // namespace stend::isa
