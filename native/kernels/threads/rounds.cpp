// How long a round lasts, and how many turns that takes.
#include "kernels/threads/rounds.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "clock/dispatch.h"

namespace stend::threads {
namespace {

constexpr double steps = 1000;  // of the clock, at least
// Beside a load, with what isn't timed: several time slices of 1 to 4 ms, so that a round has its
// share of waiting for the CPU, and its length doesn't decide on how much.
constexpr double loaded = 20e-3;

constexpr std::uint64_t most_turns = std::uint64_t{1} << 40;

}  // namespace

Stopwatch::Stopwatch() {
    const std::string_view name = clock::default_name();
    hz_ = clock::remembered(name).hz;
    resolution_ = clock::remembered(name).resolution;
    clock::with_clock(name, [this]<typename Clock>(Clock) {
        begin_ = [] { return Clock::begin(); };
        end_ = [] { return Clock::end().ticks; };
    });
}

Bystander::Bystander()
    : thread_([this] {
          std::unique_lock lock(mutex_);
          over_.wait(lock, [this] { return is_over_; });
      }) {}

Bystander::~Bystander() {
    {
        const std::lock_guard lock(mutex_);
        is_over_ = true;
    }
    over_.notify_one();
    thread_.join();
}

Rounds::Rounds(const Conditions& conditions, unsigned threads, std::string_view variant)
    : conditions_(conditions), threads_(threads), variant_(variant) {}

void Rounds::prepare() {
    scene_.emplace(conditions_);
    set_up();
    for (; !is_long_enough(turns_); turns_ *= 2)
        if (turns_ >= most_turns)
            throw Failed(
                "2^40 turns took no time: the work is not being done, or the clock stands still.");
}

double Rounds::observe() {
    return made(turns_) / (static_cast<double>(turns_) * operations());
}

double Rounds::made(std::uint64_t turns) {
    asked_ += turns;
    return round(turns);
}

// The shortest of three, so that one that was interrupted doesn't decide.
bool Rounds::is_long_enough(std::uint64_t turns) {
    double timed = HUGE_VAL, whole = HUGE_VAL;
    for (int i = 0; i < 3; ++i) {
        Stopwatch all;
        all.start();
        timed = std::min(timed, made(turns));
        whole = std::min(whole, all.seconds());
    }
    return timed >= std::max(shortest(), steps * watch_.resolution()) &&
           (conditions_.load == 0 || whole >= loaded);
}

std::string Rounds::about() const {
    std::string said = std::to_string(turns_) + " turns a round";
    if (conditions_.load > 0)
        said += ", beside " + std::to_string(conditions_.load) + " load threads";
    return said;
}

}  // namespace stend::threads
