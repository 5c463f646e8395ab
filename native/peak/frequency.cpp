// The frequency that wide vectors leave a core. Intel's cores take some 20 µs to ask for the
// licence of heavy instructions, up to 0.5 ms to get it, and keep it for 0.67 ms after the last
// one (Intel, Optimization Reference Manual, 2.5.3 "Skylake server power management"; Schöne et
// al. 2019, "Energy Efficiency Features of the Intel Skylake-SP Processor", section VII). So a
// millisecond of chains comes first and the probe, a tenth of that, falls into what is kept.
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "clock/clock.h"
#include "peak/walkers.h"

namespace stend::peak {
namespace {

constexpr std::int64_t settling = 1'000'000;  // ns
constexpr double probing = 60e-6;             // s: three rounds of the probe
constexpr unsigned tries = 8;                 // an interrupt in each of three rounds is rare

class Frequency final : public Observer {
public:
    Frequency(const Chains<double>& chains, std::vector<int> cpus, std::string_view name,
              std::uint64_t steps)
        : walkers_(chains, std::move(cpus), steps), name_(name) {}

    void prepare() override {
        clock::core_frequency(probing);  // calibrates the clock, once
        asked_.resize(walkers_.count());
        probed_.resize(walkers_.count());
        walkers_.prepare();
    }

    double observe() override {
        double mean = std::numeric_limits<double>::quiet_NaN();
        for (unsigned i = 0; i < tries && std::isnan(mean); ++i) {
            walkers_.run([this](unsigned member) noexcept { observe_own(member); });
            mean = std::reduce(probed_.begin(), probed_.end()) / threads();
        }
        return mean;
    }

    bool check() override {
        for (unsigned member = 0; member < threads(); ++member)
            if (!walkers_.right(member, asked_[member])) return false;
        return true;
    }

    Proof prove() override {
        const bool right = check();
        return {right, std::string("The chains before each probe ended ") +
                           (right ? "bit for bit" : "not") + " where the scalar recurrence of " +
                           std::to_string(asked_[0]) + " repetitions does."};
    }

    std::string_view variant() const override { return name_; }
    unsigned threads() const override { return walkers_.count(); }

private:
    void observe_own(unsigned member) noexcept {
        const std::int64_t end = clock::monotonic_ns() + settling;
        do {
            ++asked_[member];
            walkers_.walk(member);
        } while (clock::monotonic_ns() < end);
        probed_[member] = clock::core_frequency(probing);
    }

    Walkers<double> walkers_;
    std::string_view name_;
    std::vector<std::uint64_t> asked_;
    std::vector<double> probed_;
};

}  // namespace

std::unique_ptr<Kernel> frequency(std::vector<int> cpus, const Variant<Loops>& variant,
                                  std::uint64_t steps) {
    return std::make_unique<Frequency>(variant.function.float64, std::move(cpus), variant.name,
                                       steps);
}

}  // namespace stend::peak
