// One word says whose turn it is. The partner sleeps on it between two errands; who called it
// spins, so as not to lose the CPU whose cache is measured.
#include "kernels/cores/partner.h"

#include <exception>

namespace stend::cores {

Partner::Partner() : thread_([this] { serve(); }) {}

Partner::~Partner() {
    state_ = State::dismissed;
    state_.notify_one();
    thread_.join();
}

bool Partner::meet(const Errand& errand) {
    errand_ = errand;
    state_.store(State::called, std::memory_order_release);
    state_.notify_one();
    return left(State::called) != State::refused;
}

void Partner::part() {
    left(State::there);
}

// What the state is when it is no longer that one. Yielding would count as preemption, so only
// where the partner seems to want for this very CPU.
Partner::State Partner::left(State state) const {
    for (std::uint64_t turn = 0;; ++turn) {
        const State now = state_.load(std::memory_order_acquire);
        if (now != state) return now;
        if (turn > 10'000'000) std::this_thread::yield();
    }
}

void Partner::serve() {
    Seat seat;
    for (;;) {
        State state = state_.load(std::memory_order_acquire);
        while (state != State::called && state != State::dismissed) {
            state_.wait(state, std::memory_order_acquire);
            state = state_.load(std::memory_order_acquire);
        }
        if (state == State::dismissed) return;
        go(seat);
    }
}

void Partner::go(Seat& seat) {
    try {
        seat = sit(errand_.cpu);
    } catch (const std::exception& error) {
        fault_ = error.what();
        state_.store(State::refused, std::memory_order_release);
        return;
    }
    const Errand errand = errand_;
    state_.store(State::there, std::memory_order_release);
    hop(*errand.line, errand.first, errand.trips);
    hops_ += errand.trips;
    state_.store(State::asleep, std::memory_order_release);
}

}  // namespace stend::cores
