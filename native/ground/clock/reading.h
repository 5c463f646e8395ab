// What reading a clock at the end of a timing gives.
#pragma once

#include <cstdint>
#include <string_view>

#include "clock/clock.h"

namespace stend::clock {

struct Reading {
    std::uint64_t ticks;
    std::int32_t core;  // that it was read on; -1 when the OS does not tell
};

}  // namespace stend::clock
