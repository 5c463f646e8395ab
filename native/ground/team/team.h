// Threads that stay: one on each CPU of a list, or wherever the system puts them, made once,
// put to work again and again at the cost of a cache line going there and back. The thread that
// makes a team is its member 0 and sits on the first CPU for as long as the team lives.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <type_traits>
#include <vector>

#include "team/seat.h"

namespace stend {

// Members that no one binds to a CPU; they may run wherever their maker may.
struct Unbound {};

class Team {
public:
    // Throws std::invalid_argument for no members or a CPU that may not be used, and
    // std::system_error when the system makes no more threads. Signals of the process are left to
    // its other threads.
    explicit Team(const std::vector<int>& cpus);
    Team(Unbound unbound, unsigned members);
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;
    ~Team();

    unsigned size() const { return static_cast<unsigned>(workers_.size()) + 1; }

    // Every member calls work(its number); returns when all have. What was written before
    // is seen by the members, what they wrote is seen afterwards. For the maker's thread only, of
    // an unbound team for one thread after another.
    template <typename Work>
    void run(Work&& work) {
        static_assert(std::is_nothrow_invocable_v<Work&, unsigned>);
        if (workers_.empty()) return work(0U);
        using Body = std::remove_reference_t<Work>;
        begin([](void* body, unsigned member) { (*static_cast<Body*>(body))(member); }, &work);
        work(0U);
        finish();
    }

private:
    using Call = void (*)(void* body, unsigned member);

    void begin(Call call, const void* body);
    void finish();
    void hire();
    void dismiss();
    void serve(unsigned member);

    std::chrono::microseconds patience_;  // for which who waits spins
    Call call_ = nullptr;                 // null in a round: go home
    void* body_ = nullptr;
    alignas(64) std::atomic<std::uint32_t> round_{0};
    alignas(64) std::atomic<std::uint32_t> busy_{0};
    Seat seat_;
    std::vector<std::thread> workers_;
};

}  // namespace stend
