// The watchers, compiled once for each clock.
#include "kernels/noise/watcher.h"

#include "clock/dispatch.h"
#include "kernels/noise/duration.h"

namespace stend::noise {
namespace {

template <template <typename> typename Kind>
std::unique_ptr<Kernel> made(double seconds, int cpu) {
    require_duration(seconds);
    return clock::with_clock(
        clock::default_name(), [&]<typename Clock>(Clock) -> std::unique_ptr<Kernel> {
            return std::make_unique<Kind<Clock>>(clock::remembered(Clock::name).hz, seconds, cpu);
        });
}

}  // namespace

std::unique_ptr<Kernel> lost(double window, int cpu) {
    return made<Lost>(window, cpu);
}

std::unique_ptr<Kernel> detour(double patience, int cpu) {
    return made<Detour>(patience, cpu);
}

}  // namespace stend::noise
