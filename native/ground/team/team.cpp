// The two meetings of a round: all see it begin, the maker sees the last one finish. Both
// spin first, because a sleeper's wake-up costs tens of microseconds, then sleep on a futex
// (std::atomic::wait), because a spinner takes a CPU from what runs between batches. Where members
// are more than CPUs, a spinner would take it from those it waits for, so all sleep at once.
#include "team/team.h"

#include <csignal>
#include <initializer_list>
#include <set>
#include <stdexcept>

namespace stend {
namespace {

// Longer than what a kernel's check() takes between two batches, shorter than a scheduler's
// time slice.
constexpr std::chrono::microseconds long_enough{200};

std::chrono::microseconds patience(std::size_t members, std::size_t cpus) {
    return members > cpus ? std::chrono::microseconds{0} : long_enough;
}

inline void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

// Returns when `value` is no longer `old`; what its writer wrote before is then visible.
void await_change(const std::atomic<std::uint32_t>& value, std::uint32_t old,
                  std::chrono::microseconds patience) {
    const auto end = std::chrono::steady_clock::now() + patience;
    do {
        for (int i = 0; i < 64; ++i) {
            if (value.load(std::memory_order_acquire) != old) return;
            relax();
        }
    } while (std::chrono::steady_clock::now() < end);
    value.wait(old, std::memory_order_acquire);
}

// What an instruction raises is its thread's own: blocked, it would end the program at once.
// Windows sends a program no signals.
void leave_signals_to_others() {
#if !defined(_WIN32)
    sigset_t of_process;
    sigfillset(&of_process);
    for (const int own : {SIGILL, SIGSEGV, SIGBUS, SIGFPE, SIGTRAP}) sigdelset(&of_process, own);
    pthread_sigmask(SIG_BLOCK, &of_process, nullptr);
#endif
}

}  // namespace

// A thread starts on its maker's CPU, so the maker takes each member's seat in turn and
// its own last; a CPU that may not be used is then found here and not in a thread.
Team::Team(const std::vector<int>& cpus)
    : patience_(patience(cpus.size(), std::set(cpus.begin(), cpus.end()).size())) {
    if (cpus.empty()) throw std::invalid_argument("A team needs at least one CPU.");
    try {
        workers_.reserve(cpus.size() - 1);
        for (unsigned member = 1; member < cpus.size(); ++member) {
            seat_ = sit(cpus[member]);
            hire();
        }
        seat_ = sit(cpus[0]);
    } catch (...) {
        dismiss();
        throw;
    }
}

Team::Team(Unbound, unsigned members) : patience_(patience(members, usable_cpus().size())) {
    if (members == 0) throw std::invalid_argument("A team needs at least one member.");
    try {
        workers_.reserve(members - 1);
        while (size() < members) hire();
    } catch (...) {
        dismiss();
        throw;
    }
}

Team::~Team() {
    dismiss();
}

void Team::hire() {
    workers_.emplace_back([this, member = size()] { serve(member); });
}

void Team::begin(Call call, const void* body) {
    call_ = call;
    body_ = const_cast<void*>(body);
    busy_.store(static_cast<std::uint32_t>(workers_.size()), std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
}

void Team::finish() {
    while (const std::uint32_t busy = busy_.load(std::memory_order_acquire))
        await_change(busy_, busy, patience_);
}

void Team::dismiss() {
    begin(nullptr, nullptr);
    for (std::thread& worker : workers_) worker.join();
}

void Team::serve(unsigned member) {
    leave_signals_to_others();
    for (std::uint32_t round = 0;; ++round) {
        await_change(round_, round, patience_);
        if (!call_) return;
        call_(body_, member);
        if (busy_.fetch_sub(1, std::memory_order_release) == 1) busy_.notify_one();
    }
}

}  // namespace stend
