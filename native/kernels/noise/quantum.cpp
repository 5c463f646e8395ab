// Fixed work in registers. It observes its own time, so that repetitions are never batched: in a
// batch a detour would be spread over several quanta.
#include <algorithm>
#include <cmath>

#include "clock/chain.h"
#include "clock/dispatch.h"
#include "kernels/noise/duration.h"
#include "kernels/noise/noise.h"
#include "team/seat.h"

namespace stend::noise {
namespace {

template <typename Clock>
class Quantum final : public Observer {
public:
    Quantum(std::uint64_t multiplications, int cpu)
        : multiplications_(multiplications), cpu_(cpu) {}

    void prepare() override { seat_ = sit(cpu_); }

    double observe() override {
        ++asked_;
        const std::uint64_t began = Clock::begin();
        state_ = clock::multiply(state_, multiplications_);
        const std::uint64_t ended = Clock::end().ticks;
        forwards_ &= ended > began;
        return static_cast<double>(ended - began) / hz_;
    }

    // Exponentiation of what was asked since the last look: some 70 multiplications.
    bool check() override {
        expected_ *= clock::power((asked_ - checked_) * multiplications_);
        checked_ = asked_;
        return forwards_ && state_ == expected_;
    }

    Proof prove() override {
        const bool worked = state_ == clock::power(asked_ * multiplications_);
        return {worked && forwards_,
                "the product of " + std::to_string(asked_) + " quanta of " +
                    std::to_string(multiplications_) + " multiplications " +
                    (worked ? "equals" : "differs from") + " the power computed by squaring; " +
                    (forwards_ ? "the clock never ran backwards" : "the clock ran backwards")};
    }

    std::string_view variant() const override { return "plain"; }

private:
    double hz_ = clock::remembered(Clock::name).hz;
    std::uint64_t multiplications_;
    int cpu_;
    Seat seat_;
    std::uint64_t state_ = 1, expected_ = 1, asked_ = 0, checked_ = 0;
    bool forwards_ = true;
};

}  // namespace

std::uint64_t multiplications(double seconds) {
    require_duration(seconds);
    constexpr double a_second = 3e9 / 3;
    return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(seconds * a_second)));
}

std::unique_ptr<Kernel> quantum(double seconds, int cpu) {
    const std::uint64_t work = multiplications(seconds);
    return clock::with_clock(clock::default_name(),
                             [&]<typename Clock>(Clock) -> std::unique_ptr<Kernel> {
                                 return std::make_unique<Quantum<Clock>>(work, cpu);
                             });
}

}  // namespace stend::noise
