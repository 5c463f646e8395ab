// RISC-V: the time CSR, constant in rate and common to all harts. A FENCE orders it, for
// a CSR read counts as device input (RISC-V unprivileged ISA, Zicsr, "CSR access ordering").
#pragma once

#include "clock/core_number.h"
#include "clock/reading.h"

namespace stend::clock {

struct RdTime {
    static constexpr std::string_view name = "rdtime";

#if defined(__riscv) && __riscv_xlen == 64
    static constexpr bool built = true;

    [[gnu::always_inline]] static std::uint64_t begin() {
        std::uint64_t ticks;
        asm volatile("fence iorw, iorw\n\trdtime %0" : "=r"(ticks) : : "memory");
        return ticks;
    }

    [[gnu::always_inline]] static Reading end() {
        std::uint64_t ticks;
        asm volatile("fence iorw, iorw\n\trdtime %0\n\tfence iorw, iorw"
                     : "=r"(ticks)
                     :
                     : "memory");
        return {ticks, core_number()};
    }

    // The firmware may keep it from programs (scounteren.TM clear): tried once, safely.
    static Obstacle obstacle();
#else
    static constexpr bool built = false;
    static Obstacle obstacle() { return Obstacle::other_architecture; }
#endif
};

}  // namespace stend::clock
