// The chase itself: the address of each load is what the load before it found.
#pragma once

#include "kernels/latency/chain.h"

namespace stend::latency {

// Counting is done while a load is waited for, so it costs nothing, and least in steps of 16.
inline const Line* hopped(const Line* at, std::uint64_t hops) {
    for (; hops >= 16; hops -= 16)
        for (int i = 0; i < 16; ++i) at = at->next;
    for (; hops > 0; --hops) at = at->next;
    return at;
}

}  // namespace stend::latency
