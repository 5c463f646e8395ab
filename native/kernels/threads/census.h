// Who ran: threads count themselves, each by its number, so that one that was left out is seen,
// and also one that ran in another's place.
#pragma once

#include <atomic>
#include <cstdint>

namespace stend::threads {

class Census {
public:
    // From the thread of that number; numbers go up from 1.
    void count(std::uint64_t number) {
        sum_.fetch_add(number, std::memory_order_relaxed);
        counted_.fetch_add(1, std::memory_order_release);
    }

    std::uint64_t counted() const { return counted_.load(std::memory_order_acquire); }

    // Whether 1 to `last` were counted and no others: so many, and they add up to the sum of those
    // numbers.
    bool complete(std::uint64_t last) const {
        const std::uint64_t even = last % 2 == 0 ? last : last + 1, other = last + 1 + last - even;
        return counted() == last && sum_.load(std::memory_order_relaxed) == even / 2 * other;
    }

private:
    std::atomic<std::uint64_t> counted_ = 0, sum_ = 0;
};

}  // namespace stend::threads
