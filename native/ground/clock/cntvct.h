// AArch64: the virtual counter, constant in rate and common to all cores (Arm ARM,
// D11.1 "The Generic Timer"). An ISB on either side keeps the read in its place.
#pragma once

#include "clock/core_number.h"
#include "clock/reading.h"

namespace stend::clock {

struct Cntvct {
    static constexpr std::string_view name = "cntvct";

#if defined(__aarch64__)
    static constexpr bool built = true;

    [[gnu::always_inline]] static std::uint64_t begin() {
        std::uint64_t ticks;
        asm volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(ticks) : : "memory");
        return ticks;
    }

    [[gnu::always_inline]] static Reading end() {
        std::uint64_t ticks;
        asm volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(ticks) : : "memory");
        return {ticks, core_number()};
    }

    // Linux lets programs read it, for its own vDSO does.
    static Obstacle obstacle() { return Obstacle::none; }
#else
    static constexpr bool built = false;
    static Obstacle obstacle() { return Obstacle::other_architecture; }
#endif
};

}  // namespace stend::clock
