// A gate before which threads sleep: a condition variable with what its mutex guards. One of them,
// or all, are let through; each counts itself, reads the clock and comes back.
#pragma once

#include <pthread.h>
#include <time.h>

#include <chrono>
#include <cstdint>

namespace stend::threads {

class Lock {
public:
    explicit Lock(pthread_mutex_t& mutex) : mutex_(mutex) { pthread_mutex_lock(&mutex_); }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
    ~Lock() { pthread_mutex_unlock(&mutex_); }

private:
    pthread_mutex_t& mutex_;
};

struct Gate {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t open = PTHREAD_COND_INITIALIZER;       // the sleepers wait for it
    pthread_cond_t settled = PTHREAD_COND_INITIALIZER;    // the waker waits for it
    pthread_cond_t dismissed = PTHREAD_COND_INITIALIZER;  // the watchman waits for it

    // Guarded by the mutex.
    std::uint64_t round = 0;     // each sleeper goes through once in each
    std::uint64_t passes = 0;    // so many sleepers go through, whichever they are
    std::uint64_t ran = 0;       // went through so far
    std::uint64_t blocked = 0;   // asleep, or about to be
    std::uint64_t last_ran = 0;  // the clock, when the last one went through
    bool over = false, given_up = false;

    // What the waker waits for.
    std::uint64_t sleepers = 0, runs = 0;

    bool is_settled() const { return blocked == sleepers && ran == runs; }

    // For the waker, holding the mutex: whether all are blocked again, and those let through have
    // run; false when the watchman gave up. Nothing that takes time, like setting a timer,
    // for the waker's CPU may be the very one that a sleeper waits for.
    bool await_settled() {
        while (!is_settled() && !given_up) pthread_cond_wait(&settled, &mutex);
        return is_settled();
    }

    // The watchman's life: gives up when nothing has moved for so long while the waker waits.
    void keep_watch(std::chrono::seconds patience) {
        const Lock lock(mutex);
        while (!over && !given_up) {
            const std::uint64_t before = runs + ran + blocked;
            timespec end;
            clock_gettime(CLOCK_MONOTONIC, &end);
            end.tv_sec += static_cast<time_t>(patience.count());
            const int woken = pthread_cond_clockwait(&dismissed, &mutex, CLOCK_MONOTONIC, &end);
            given_up = woken != 0 && !is_settled() && runs + ran + blocked == before;
        }
        pthread_cond_signal(&settled);
    }
};

struct Sleeper {
    Gate* gate;
    std::uint64_t ran;    // times that it went through
    std::uint64_t round;  // the last that it took part in
    pthread_t thread;
};

template <typename Clock>
void* sleep_and_run(void* argument) {
    Sleeper& self = *static_cast<Sleeper*>(argument);
    Gate& gate = *self.gate;
    const Lock lock(gate.mutex);
    for (;;) {
        ++gate.blocked;
        if (gate.is_settled()) pthread_cond_signal(&gate.settled);
        while (gate.passes == 0 && gate.round == self.round && !gate.over)
            pthread_cond_wait(&gate.open, &gate.mutex);
        if (gate.over) return nullptr;
        gate.last_ran = Clock::begin();
        if (gate.round == self.round)
            --gate.passes;
        else
            self.round = gate.round;
        ++self.ran;
        ++gate.ran;
        --gate.blocked;
    }
}

}  // namespace stend::threads
