// The core's true frequency, by dependent operations of known latency.
//
// An exclusive-or of two registers takes one cycle on every x86-64, AArch64 and RISC-V
// core (Agner Fog, Instruction tables; Arm's software optimization guides), and no core
// folds it as some fold additions of constants. A multiplication takes a whole number of
// cycles: 3 on Intel since Nehalem and on AMD Zen, 4 to 6 on some small cores. So the
// ratio of the two chains must be a whole number; it is the multiplication's latency, and
// where it is not whole the assumption fails and the frequency is unknown. The figure is
// taken from the multiplications, whose loop surely fits beneath their latency.
#include <cmath>
#include <limits>

#include "clock/chain.h"
#include "clock/dispatch.h"

namespace stend::clock {
namespace {

#if defined(__x86_64__) || defined(__aarch64__) || defined(__riscv)
constexpr bool one_cycle_exclusive_or = true;
#else
constexpr bool one_cycle_exclusive_or = false;
#endif

// 16,384 multiplications take some 20 us: most chunks meet no interrupt, and the clock's
// own unsteadiness of some ten ticks is within 0.1% of them.
constexpr std::uint64_t longer = 16384, shorter = 2048;

// The shortest times of a long and of a short chunk; their difference has no overhead.
struct Chunks {
    std::uint64_t long_ticks = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t short_ticks = std::numeric_limits<std::uint64_t>::max();

    double ticks_an_operation() const {
        return (static_cast<double>(long_ticks) - static_cast<double>(short_ticks)) /
               (longer - shorter);
    }
};

template <typename Clock, typename Chain>
void shorten(std::uint64_t& shortest, Chain chain, std::uint64_t operations) {
    const std::uint64_t before = Clock::begin();
    std::uint64_t x = chain(1, operations);
    asm volatile("" : "+r"(x));
    const std::uint64_t ticks = Clock::end().ticks - before;
    if (ticks < shortest) shortest = ticks;
}

struct Found {
    double cycles = std::numeric_limits<double>::quiet_NaN();  // of a multiplication
    double hz = std::numeric_limits<double>::quiet_NaN();
};

template <typename Clock>
Found found(double seconds) {
    const double hz = remembered(Clock::name).hz;
    const auto budget = static_cast<std::uint64_t>(seconds * hz);
    const std::uint64_t start = Clock::begin();
    Chunks multiplications, exclusive_ors;
    do {
        shorten<Clock>(multiplications.long_ticks, multiply, longer);
        shorten<Clock>(multiplications.short_ticks, multiply, shorter);
        shorten<Clock>(exclusive_ors.long_ticks, exclusive_or, longer);
        shorten<Clock>(exclusive_ors.short_ticks, exclusive_or, shorter);
    } while (Clock::begin() - start < budget);

    const double measured =
        multiplications.ticks_an_operation() / exclusive_ors.ticks_an_operation();
    const double latency = std::round(measured);
    if (!(latency >= 1 && std::abs(measured / latency - 1) < 0.03)) return {};
    return {latency, latency * hz / multiplications.ticks_an_operation()};
}

Found found_by_default(double seconds) {
    if (!one_cycle_exclusive_or) return {};
    return with_clock(default_name(), [&](auto clock) { return found<decltype(clock)>(seconds); });
}

}  // namespace

double core_frequency(double seconds) {
    return found_by_default(seconds).hz;
}

double multiplication_cycles(double seconds) {
    return found_by_default(seconds).cycles;
}

}  // namespace stend::clock
