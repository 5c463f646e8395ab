// What threads contend for. A critical section adds to a plain number, which keeps its sum only
// when no two threads were in it at once; the number shares its lock's cache line, so it goes where
// the lock goes.
#pragma once

#include <pthread.h>
#include <semaphore.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "buffers/buffer.h"

namespace stend::threads {

// Two lines: the prefetcher of x86-64 fetches them in pairs.
inline constexpr std::size_t alone_in_cache = 128;

struct Mutex {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    int lock() { return pthread_mutex_lock(&mutex); }
    int unlock() { return pthread_mutex_unlock(&mutex); }
};

struct Spinlock {
    pthread_spinlock_t spinlock;
    Spinlock() { pthread_spin_init(&spinlock, PTHREAD_PROCESS_PRIVATE); }
    int lock() { return pthread_spin_lock(&spinlock); }
    int unlock() { return pthread_spin_unlock(&spinlock); }
};

inline std::string counted(std::uint64_t count, unsigned threads, std::uint64_t each) {
    return std::to_string(count) + " of " + std::to_string(threads) + " × " + std::to_string(each) +
           " operations";
}

template <typename Lock>
class Exclusion {
public:
    explicit Exclusion(unsigned threads) : threads_(threads) {}

    void operate(unsigned /*member*/, std::uint64_t times) noexcept {
        int failed = 0;
        for (; times > 0; --times) {
            failed |= lock_.lock();
            inside_ = inside_ + 1;
            failed |= lock_.unlock();
        }
        if (failed != 0) failed_.store(true, std::memory_order_relaxed);
    }

    bool right(std::uint64_t each) const { return inside_ == each * threads_ && !failed_; }

    std::string said(std::uint64_t each) const {
        return "a plain number that only the holder of the lock added to counts " +
               counted(inside_, threads_, each) + (failed_ ? "; a call failed" : "");
    }

private:
    unsigned threads_;
    alignas(alone_in_cache) Lock lock_;
    volatile std::uint64_t inside_ = 0;
    alignas(alone_in_cache) std::atomic<bool> failed_ = false;
};

// One number a thread, each alone in its cache lines.
class Tally {
public:
    explicit Tally(unsigned threads) : of_(threads) {}
    void add(unsigned member, std::uint64_t count) { of_[member].count += count; }
    std::uint64_t of(unsigned member) const { return of_[member].count; }
    std::uint64_t sum() const {
        return std::accumulate(of_.begin(), of_.end(), std::uint64_t{0},
                               [](std::uint64_t sum, const One& one) { return sum + one.count; });
    }
    bool all(std::uint64_t each) const {
        return std::ranges::all_of(of_, [each](const One& one) { return one.count == each; });
    }

private:
    struct alignas(alone_in_cache) One {
        std::uint64_t count = 0;
    };
    std::vector<One> of_;
};

struct PosixSemaphore {
    sem_t semaphore;
    PosixSemaphore() { sem_init(&semaphore, 0, 0); }
    PosixSemaphore(const PosixSemaphore&) = delete;
    PosixSemaphore& operator=(const PosixSemaphore&) = delete;
    ~PosixSemaphore() { sem_destroy(&semaphore); }
    bool post() { return sem_post(&semaphore) == 0; }
    bool wait() { return sem_wait(&semaphore) == 0; }
    int value() const {
        int now = -1;
        sem_getvalue(const_cast<sem_t*>(&semaphore), &now);
        return now;
    }
};

// A thread first posts, so there is always one to be had, and nobody sleeps.
template <typename Semaphore>
class Tokens {
public:
    explicit Tokens(unsigned threads) : threads_(threads), posts_(threads), waits_(threads) {}

    void operate(unsigned member, std::uint64_t times) noexcept {
        std::uint64_t posts = 0, waits = 0;
        for (; times > 0; --times) {
            posts += semaphore_.post();
            waits += semaphore_.wait();
        }
        posts_.add(member, posts);
        waits_.add(member, waits);
    }

    bool right(std::uint64_t each) const {
        return posts_.all(each) && waits_.all(each) && semaphore_.value() == 0;
    }

    std::string said(std::uint64_t each) const {
        return counted(posts_.sum(), threads_, each) + " posted and " +
               std::to_string(waits_.sum()) + " taken leave " + std::to_string(semaphore_.value()) +
               " in the semaphore";
    }

private:
    unsigned threads_;
    alignas(alone_in_cache) Semaphore semaphore_;
    Tally posts_, waits_;
};

struct AtomicNumber {
    std::atomic<std::uint64_t> number = 0;
    void add() { number.fetch_add(1); }
};

template <typename Number>
class Additions {
public:
    explicit Additions(unsigned threads) : threads_(threads) {}

    void operate(unsigned /*member*/, std::uint64_t times) noexcept {
        for (; times > 0; --times) number_.add();
    }

    bool right(std::uint64_t each) const { return number_.number == each * threads_; }

    std::string said(std::uint64_t each) const {
        return "the number counts " + counted(number_.number, threads_, each);
    }

private:
    unsigned threads_;
    alignas(alone_in_cache) Number number_;
    [[maybe_unused]] alignas(alone_in_cache) char behind_ = 0;
};

struct AtomicIncrement {
    static void add(std::atomic_ref<std::uint64_t> number) { number.fetch_add(1); }
};

// Each thread's own number, `apart` bytes from the next one's, the first at a page's beginning.
// Additions are atomic, so that each has its line: plain ones wait in the store buffer, which a
// processor empties line by line, and sharing a line costs them next to nothing.
template <typename Addition>
class Neighbours {
public:
    Neighbours(unsigned threads, std::size_t apart)
        : threads_(threads), words_(apart / sizeof(std::uint64_t)), numbers_(threads * words_) {
        std::ranges::fill(numbers_.span(), 0);
    }

    void operate(unsigned member, std::uint64_t times) noexcept {
        const std::atomic_ref mine(numbers_.span()[member * words_]);
        for (; times > 0; --times) Addition::add(mine);
    }

    bool right(std::uint64_t each) const {
        for (unsigned member = 0; member < threads_; ++member)
            if (of(member) != each) return false;
        return true;
    }

    std::string said(std::uint64_t each) const {
        return "the numbers of " + std::to_string(threads_) + " threads, " +
               std::to_string(words_ * sizeof(std::uint64_t)) + " bytes apart, " +
               (right(each) ? "each count " : "do not all count ") + std::to_string(each) +
               " additions";
    }

private:
    std::uint64_t of(unsigned member) const { return numbers_.span()[member * words_]; }

    unsigned threads_;
    std::size_t words_;
    Buffer<std::uint64_t> numbers_;
};

}  // namespace stend::threads
