// CPUs for the members of a kernel under test: more members than there are CPUs to be had share
// them, so that partitions are tried that this machine has no CPUs for.
#pragma once

#include <vector>

#include "team/seat.h"

inline std::vector<int> seats(unsigned threads) {
    const std::vector<int> usable = stend::usable_cpus();
    std::vector<int> cpus;
    for (unsigned i = 0; i < threads; ++i) cpus.push_back(usable[i % usable.size()]);
    return cpus;
}
