// x86-64: the time-stamp counter. `lfence; rdtsc` waits for what went before to finish,
// `rdtscp; lfence` waits for the timed work and lets nothing later begin before it is
// read (Intel SDM vol. 2B, RDTSC and RDTSCP; CPUID as a fence traps in virtual machines
// and costs 1.3 us there).
#pragma once

#include "clock/reading.h"
#include "isa/isa.h"

#if defined(__linux__)
#include <sys/prctl.h>
#endif

namespace stend::clock {

struct Tsc {
    static constexpr std::string_view name = "tsc";

#if defined(__x86_64__)
    static constexpr bool built = true;

    [[gnu::always_inline]] static std::uint64_t begin() {
        std::uint32_t low, high;
        asm volatile("lfence\n\trdtsc" : "=a"(low), "=d"(high) : : "memory");
        return std::uint64_t{high} << 32 | low;
    }

    // Linux keeps the core's number in the low 12 bits of TSC_AUX, the node's above.
    [[gnu::always_inline]] static Reading end() {
        std::uint32_t low, high, aux;
        asm volatile("rdtscp\n\tlfence" : "=a"(low), "=d"(high), "=c"(aux) : : "memory");
        return {std::uint64_t{high} << 32 | low, static_cast<std::int32_t>(aux & 0xfff)};
    }

    static Obstacle obstacle() {
        if (!isa::invariant_tsc()) return Obstacle::not_invariant;
        if (!isa::rdtscp()) return Obstacle::no_core_number;
        return faults() ? Obstacle::trapped : Obstacle::none;
    }

private:
    static bool faults() {
#if defined(__linux__)
        int mode = PR_TSC_ENABLE;
        return prctl(PR_GET_TSC, &mode) == 0 && mode != PR_TSC_ENABLE;
#else
        return false;
#endif
    }
#else
    static constexpr bool built = false;
    static Obstacle obstacle() { return Obstacle::other_architecture; }
#endif
};

}  // namespace stend::clock
