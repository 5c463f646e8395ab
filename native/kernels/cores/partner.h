// The other thread: one for all CPUs, so that no third one spins or sleeps beside the two that
// are measured. It goes to the CPU it is told to, makes its hops there and sleeps.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

#include "kernels/cores/hops.h"
#include "team/seat.h"

namespace stend::cores {

struct Errand {
    int cpu;
    Number* line;
    Number first;
    std::uint64_t trips;
};

class Partner {
public:
    Partner();
    Partner(const Partner&) = delete;
    Partner& operator=(const Partner&) = delete;
    ~Partner();

    // Returns when the partner sits on that CPU and is about to wait for its first number; false
    // when it may not sit there, as fault() says, and makes no hop.
    bool meet(const Errand& errand);
    // Returns when it has made its last hop.
    void part();

    std::uint64_t hops() const { return hops_; }
    const std::string& fault() const { return fault_; }

private:
    enum class State : std::uint32_t { asleep, called, there, refused, dismissed };

    void serve();
    void go(Seat& seat);
    State left(State state) const;

    Errand errand_{};
    std::uint64_t hops_ = 0;
    std::string fault_;
    alignas(128) std::atomic<State> state_{State::asleep};
    std::thread thread_;
};

}  // namespace stend::cores
