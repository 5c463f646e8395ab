// Everywhere: the OS clock that nothing slews, in nanoseconds (CLOCK_MONOTONIC where the
// OS has no CLOCK_MONOTONIC_RAW). About as costly as the counter when the vDSO serves it.
#pragma once

#include <time.h>

#include "clock/core_number.h"
#include "clock/reading.h"

namespace stend::clock {

struct MonotonicRaw {
    static constexpr std::string_view name = "monotonic-raw";
    static constexpr bool built = true;

#if defined(CLOCK_MONOTONIC_RAW)
    static constexpr clockid_t id = CLOCK_MONOTONIC_RAW;
#else
    static constexpr clockid_t id = CLOCK_MONOTONIC;
#endif

    static std::uint64_t begin() {
        timespec now;
        clock_gettime(id, &now);
        return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U +
               static_cast<std::uint64_t>(now.tv_nsec);
    }

    static Reading end() {
        const std::uint64_t ticks = begin();
        return {ticks, core_number()};
    }

    static Obstacle obstacle() { return Obstacle::none; }
};

}  // namespace stend::clock
