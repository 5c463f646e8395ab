// The error of a timer on a short piece of work (the study of Kuzminsky 2002: a timer of
// 0.01 s against the cycle counter).
#include <cmath>
#include <stdexcept>

#include "clock/chain.h"
#include "clock/clock.h"
#include "clock/company.h"
#include "clock/timers.h"

namespace stend::clock {
namespace {

double counted() {
    return static_cast<double>(counter().read()) * counter().unit;
}

class Error final : public Observer {
public:
    Error(const Reader& timer, double seconds)
        : timer_(timer), company_(timer), seconds_(seconds) {}

    void prepare() override {
        multiplications_ = std::max<std::uint64_t>(1, sized());
        company_.meet();
    }

    double observe() override {
        delay();
        const std::int64_t before = timer_.read();
        const std::int64_t began = counter().read();
        state_ = multiply(state_, multiplications_);
        const std::int64_t ended = counter().read();
        const std::int64_t after = timer_.read();
        ++asked_;
        const double told = static_cast<double>(after - before) * timer_.unit;
        return std::abs(told / (static_cast<double>(ended - began) * counter().unit) - 1);
    }

    bool check() override {
        expected_ *= power((asked_ - checked_) * multiplications_);
        checked_ = asked_;
        return state_ == expected_;
    }

    Proof prove() override {
        const Proof kept = company_.part();
        const bool worked = state_ == power(asked_ * multiplications_);
        const std::string work = worked ? "the product of the work equals the power by squaring; "
                                        : "the product of the work is wrong; ";
        return {worked && kept.right, work + kept.said};
    }

    std::string_view variant() const override { return "plain"; }

private:
    // Multiplications that take about `seconds_`, by the shortest of some short chains.
    std::uint64_t sized() {
        constexpr std::uint64_t trial = 10'000;
        double shortest = HUGE_VAL;
        for (unsigned i = 0; i < 20; ++i) {
            const double before = counted();
            std::uint64_t x = multiply(1, trial);
            asm volatile("" : "+r"(x));
            shortest = std::min(shortest, counted() - before);
        }
        return static_cast<std::uint64_t>(seconds_ / shortest * trial);
    }

    // Waits a part of the timer's step; the parts fill it evenly (multiples of the golden
    // ratio modulo 1), or the work would always begin just after a step.
    void delay() {
        constexpr double golden_ratio = 0.6180339887498949;
        phase_ += golden_ratio;
        phase_ -= std::floor(phase_);
        const double until = counted() + phase_ * timer_.granularity;
        while (counted() < until) {
        }
    }

    const Reader& timer_;
    Company company_;
    double seconds_;
    double phase_ = 0;
    std::uint64_t multiplications_ = 1;
    std::uint64_t state_ = 1, expected_ = 1, asked_ = 0, checked_ = 0;
};

}  // namespace

std::unique_ptr<Kernel> error(std::string_view timer, double seconds) {
    if (!(seconds > 0 && seconds <= 60))
        throw std::invalid_argument(
            "The work whose error is observed takes more than 0 and at "
            "most 60 s, not " +
            std::to_string(seconds) + " s.");
    return std::make_unique<Error>(reader(timer), seconds);
}

}  // namespace stend::clock
