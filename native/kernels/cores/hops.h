// One side of the way to and fro. The line holds how often it has gone over: whoever finds the
// number that is his adds one, so no hop is made twice, out of turn or not at all.
#pragma once

#include <atomic>
#include <cstdint>

namespace stend::cores {

using Number = std::uint64_t;

// Makes every other hop, `trips` of them, the first when the line holds `first`. Relaxed, since
// nothing but the number itself is handed over; without a pause, as the other side must be seen
// as soon as it can be.
inline void hop(Number& line, Number first, std::uint64_t trips) noexcept {
    const std::atomic_ref<Number> number(line);
    for (const Number end = first + 2 * trips; first != end; first += 2) {
        Number found = first;
        while (!number.compare_exchange_strong(found, first + 1, std::memory_order_relaxed))
            found = first;
    }
}

}  // namespace stend::cores
