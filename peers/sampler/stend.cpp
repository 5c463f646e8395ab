// stend's sampler.
#include "clock/clock.h"
#include "peer.h"
#include "sampler/sampler.h"

namespace {

// The body of the peers, so that all repeat the same.
class Increment final : public stend::Kernel {
public:
    void repeat(std::uint64_t times) override {
        for (; times > 0; --times) {
            x_ += 1;
            asm volatile("" : "+r"(x_));
        }
    }
    bool check() override { return true; }
    stend::Proof prove() override { return {true, "not proved"}; }
    std::string_view variant() const override { return "plain"; }

private:
    unsigned long x_ = 0;
};

double median_reading(const stend::Repetitions& made, int executions) {
    const double hz = stend::clock::remembered(stend::clock::default_name()).hz;
    return median({made.ticks.begin(), made.ticks.end()}) / hz * 1e9 / executions;
}

}  // namespace

Costs stend_costs() {
    Increment kernel;
    stend::Sampler sampler(kernel, stend::clock::default_name());
    stend::Repetitions made;
    const double wall = nanoseconds([&] { made = sampler.collect(1, timed_calls, 60); });
    return {median_reading(made, 1), wall / timed_calls,
            median_reading(sampler.collect(batch, batches, 60), batch)};
}
