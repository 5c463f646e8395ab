// Reading a clock in a tight loop: two readings in a row are one loop apart, or something else
// had the core in between. Comes in: a type whose begin() reads the clock; goes out: what passed
// in loops and what in detours. Knows no CPU and no seconds.
#pragma once

#include <algorithm>
#include <cstdint>

namespace stend::noise {

// In ticks of the clock.
struct Watched {
    std::uint64_t began = 0, ended = 0;  // first and last reading
    std::uint64_t loops = 0;             // readings after the first
    std::uint64_t within = 0;            // sum of the gaps that were loops
    std::uint64_t beyond = 0;            // sum of the gaps that were detours
    std::uint64_t detours = 0;           // their number
    bool backwards = false;

    std::uint64_t covered() const { return ended - began; }
};

// A gap of more than so many shortest loops is a detour (netgauge's threshold, 900%).
inline constexpr std::uint64_t several = 9;

// The shortest gap in `loops` loops that is not 0: where the clock steps in more than a loop takes,
// its step.
template <typename Clock>
std::uint64_t shortest_loop(std::uint64_t loops) {
    std::uint64_t shortest = UINT64_MAX;
    for (std::uint64_t last = Clock::begin(); loops > 0; --loops) {
        const std::uint64_t now = Clock::begin();
        if (now > last) shortest = std::min(shortest, now - last);
        last = now;
    }
    return shortest;
}

// Watches until `window` ticks have passed or so many detours were met.
template <typename Clock>
Watched watch(std::uint64_t window, std::uint64_t threshold, std::uint64_t detours) {
    Watched seen;
    std::uint64_t last = seen.began = Clock::begin();
    do {
        const std::uint64_t now = Clock::begin();
        const std::uint64_t gap = now - last;
        ++seen.loops;
        if (gap <= threshold) [[likely]] {
            seen.within += gap;
        } else if (now < last) {
            seen.backwards = true;
            break;
        } else {
            seen.beyond += gap;
            ++seen.detours;
        }
        last = now;
    } while (last - seen.began < window && seen.detours < detours);
    seen.ended = last;
    return seen;
}

}  // namespace stend::noise
