// From a clock's name to its type, so that no indirect call sits inside a timing.
#pragma once

#include "clock/cntvct.h"
#include "clock/monotonic_raw.h"
#include "clock/rdtime.h"
#include "clock/tsc.h"

namespace stend::clock {

// Calls function(Clock{}) with the named clock and returns what it returns; throws
// std::invalid_argument as require() does.
template <typename Function>
auto with_clock(std::string_view name, Function function) {
    require(name);
    if constexpr (Tsc::built)
        if (name == Tsc::name) return function(Tsc{});
    if constexpr (Cntvct::built)
        if (name == Cntvct::name) return function(Cntvct{});
    if constexpr (RdTime::built)
        if (name == RdTime::name) return function(RdTime{});
    return function(MonotonicRaw{});
}

}  // namespace stend::clock
