// A C++ user's function through the sampler: find the batch, warm up, collect.
#include "stend/measure.hpp"

#include <algorithm>
#include <stdexcept>

#include "clock/clock.h"
#include "sampler/sampler.h"

namespace stend::measuring {
namespace {

constexpr double shortest_repetition = 50e-6;  // s; and 1,000 steps of the clock
constexpr std::uint64_t largest_batch = std::uint64_t{1} << 32;
constexpr std::uint64_t until_the_time_is_over = 1U << 16;

// A call returns or throws; what it computes is its author's to check.
class Calls final : public Kernel {
public:
    explicit Calls(Body& body) : body_(body) {}

    void repeat(std::uint64_t times) override {
        body_.call(times);
        returned_ += times;
    }
    bool check() override { return true; }
    Proof prove() override { return {true, std::to_string(returned_) + " calls returned"}; }
    std::string_view variant() const override { return "c++"; }

private:
    Body& body_;
    std::uint64_t returned_ = 0;
};

// Doubles the batch until the quicker of two repetitions is long enough.
std::uint64_t batch_for(Sampler& sampler, double ticks, double seconds) {
    for (std::uint64_t batch = 1;; batch *= 2) {
        const Repetitions tried = sampler.collect(batch, 2, seconds);
        if (static_cast<double>(std::ranges::min(tried.ticks)) >= ticks) return batch;
        if (batch >= largest_batch)
            throw std::runtime_error(
                "2^32 calls took less than 50 us or 1,000 steps of the clock: the clock stands "
                "still.");
    }
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    if (values.size() % 2) return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

}  // namespace

Measured measured(Body& body, double seconds) {
    if (!(seconds > 0))
        throw std::invalid_argument("The time to measure in must be more than 0 s, not " +
                                    std::to_string(seconds) + ".");
    const std::string clock(clock::default_name());
    const clock::Calibration calibration = clock::calibrate(clock, 0.02);
    const double shortest = std::max(shortest_repetition, 1000 * calibration.resolution);

    Calls calls(body);
    Sampler sampler(calls, clock);
    Measured result{clock, calibration.hz, 0, {}, {}, 0};
    result.batch = batch_for(sampler, shortest * calibration.hz, seconds / 4);
    sampler.collect(result.batch, until_the_time_is_over, seconds / 4);
    const Repetitions made = sampler.collect(result.batch, until_the_time_is_over, seconds * 3 / 4);

    const double ticks_a_second = calibration.hz * static_cast<double>(result.batch);
    for (const std::int64_t ticks : made.ticks)
        result.seconds.push_back(static_cast<double>(ticks) / ticks_a_second);
    result.preempted.assign(made.preempted.begin(), made.preempted.end());
    result.median = median(result.seconds);
    return result;
}

}  // namespace stend::measuring
