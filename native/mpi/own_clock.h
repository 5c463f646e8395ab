// The clock of one rank. Only differences of its own readings mean anything: readings of two
// ranks are never compared, so nothing has to be synchronised.
#pragma once

#include <time.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace stend::mpi {

// CLOCK_MONOTONIC in ns: read without a system call where the kernel allows it, on every
// architecture, and its instants are those of stend's other records of this machine.
inline std::int64_t now() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

// What a duration of nothing reads, in ns: the median distance of two readings in a row.
inline std::int64_t overhead() {
    std::array<std::int64_t, 2001> apart;
    for (std::int64_t& each : apart) {
        const std::int64_t begin = now();
        each = now() - begin;
    }
    std::nth_element(apart.begin(), apart.begin() + apart.size() / 2, apart.end());
    return apart[apart.size() / 2];
}

}  // namespace stend::mpi
