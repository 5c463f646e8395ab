// The core this thread runs on, for clocks that don't tell it themselves: 2 ns where
// glibc has registered restartable sequences, else a call into the vDSO.
#pragma once

#include <cstdint>

#if defined(__linux__)
#include <sched.h>
#endif

namespace stend::clock {

inline std::int32_t core_number() {
#if defined(__linux__)
    return sched_getcpu();
#else
    return -1;
#endif
}

}  // namespace stend::clock
