// All threads wait for each other, again and again. Comes in: a barrier that lets one of those who
// met know that it is the one; goes out: rounds of meetings, and their proof.
#pragma once

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/threads/patience.h"
#include "kernels/threads/subjects.h"
#include "kernels/threads/together.h"

namespace stend::threads {

class PthreadBarrier {
public:
    explicit PthreadBarrier(unsigned threads) { pthread_barrier_init(&barrier_, nullptr, threads); }
    PthreadBarrier(const PthreadBarrier&) = delete;
    PthreadBarrier& operator=(const PthreadBarrier&) = delete;
    ~PthreadBarrier() { pthread_barrier_destroy(&barrier_); }

    // True for one thread of each meeting.
    bool meet() { return pthread_barrier_wait(&barrier_) == PTHREAD_BARRIER_SERIAL_THREAD; }

private:
    pthread_barrier_t barrier_;
};

// A counter and a sense (Mellor-Crummey and Scott 1991, "Algorithms for scalable synchronization on
// shared-memory multiprocessors", section 3.1), of which the number of the meeting is the sense.
class SpinBarrier {
public:
    explicit SpinBarrier(unsigned threads) : threads_(threads) {}

    bool meet() {
        const std::uint64_t meeting = meeting_.load(std::memory_order_relaxed);
        if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
            arrived_.store(0, std::memory_order_relaxed);
            meeting_.store(meeting + 1, std::memory_order_release);
            return true;
        }
        spin_until([&] { return meeting_.load(std::memory_order_acquire) != meeting; });
        return false;
    }

private:
    unsigned threads_;
    alignas(alone_in_cache) std::atomic<unsigned> arrived_ = 0;
    alignas(alone_in_cache) std::atomic<std::uint64_t> meeting_ = 0;
};

template <typename Barrier>
class Meetings {
public:
    explicit Meetings(unsigned threads)
        : threads_(threads), barrier_(threads), told_(threads), passed_(threads), at_(threads) {}

    void operate(unsigned member, std::uint64_t times) noexcept {
        std::uint64_t told = 0, passed = 0;
        for (; passed < times; ++passed) told += barrier_.meet();
        told_.add(member, told);
        passed_.add(member, passed);
    }

    // Each thread tells where it is before it meets the others, and looks where they are after:
    // none may be behind, and none further than the next meeting.
    void meet_and_look(unsigned member, std::uint64_t times) noexcept {
        for (std::uint64_t meeting = 1; meeting <= times; ++meeting) {
            at_[member].store(meeting, std::memory_order_relaxed);
            told_.add(member, barrier_.meet());
            for (const Where& other : at_) {
                const std::uint64_t seen = other.load(std::memory_order_relaxed);
                if (seen != meeting && seen != meeting + 1) apart_.store(true);
            }
        }
        passed_.add(member, times);
    }

    bool right(std::uint64_t each) const {
        return passed_.all(each) && told_.sum() == each && !apart_;
    }

    std::string said(std::uint64_t each) const {
        return "of " + counted(passed_.sum(), threads_, each) + " " + std::to_string(told_.sum()) +
               " were told that they are the one of their meeting; " +
               (apart_ ? "somebody passed before all had come"
                       : "nobody passed before all had come");
    }

private:
    struct alignas(alone_in_cache) Where : std::atomic<std::uint64_t> {};

    unsigned threads_;
    Barrier barrier_;
    Tally told_, passed_;
    std::vector<Where> at_;
    std::atomic<bool> apart_ = false;
};

template <typename Barrier>
class Barriers final : public Together<Meetings<Barrier>> {
public:
    using Together<Meetings<Barrier>>::Together;

    // As many meetings as a round has, but for the most a thousand, in which everyone looks.
    Proof prove() override {
        const std::uint64_t looks = std::min<std::uint64_t>(this->usual(), 1000);
        this->each([&](unsigned member) noexcept { this->subject().meet_and_look(member, looks); });
        looked_ += looks;
        return Together<Meetings<Barrier>>::prove();
    }

private:
    std::uint64_t each_made() const override { return this->asked() + looked_; }

    std::uint64_t looked_ = 0;
};

}  // namespace stend::threads
