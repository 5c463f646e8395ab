// The frequency that vectors leave a core, by company: beside the chains runs a chain of
// multiplications that wait for one another. Their latency in cycles is known (clock/), so while
// they are what is waited for, their time tells the frequency under the load itself. A probe that
// follows the load comes too late: a core of the Granite Rapids class ran at 3.80 GHz with
// AVX-512, and a probe right afterwards gave 3.90.
//
// That they are what is waited for is measured: twice as many have to take twice as long.
//
// A core may take some 0.5 ms to change its frequency for heavy instructions (Schöne et al. 2019,
// "Energy Efficiency Features of the Intel Skylake-SP Processor"), so a millisecond of chains
// without company comes first.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "clock/chain.h"
#include "clock/clock.h"
#include "clock/readers.h"
#include "peak/walkers.h"

namespace stend::peak {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t settling = 1'000'000;  // ns
constexpr std::uint64_t probe_steps = 4096;   // some 20 and 40 µs
constexpr unsigned rounds = 3;                // of which the shortest counts: interrupts
constexpr unsigned tries = 8;
constexpr double slack = 0.01;  // of twice as long

// What one member did and found in a probe.
struct alignas(64) Probe {
    std::vector<double> ends;
    std::uint64_t product = 1, multiplied = 0;
    bool right = true;
    double hz = unknown;
};

class Frequency final : public Observer {
public:
    Frequency(const Loops& loops, std::vector<int> cpus, std::string_view name, std::uint64_t steps)
        : loops_(loops), walkers_(loops.float64, std::move(cpus), steps), name_(name) {}

    void prepare() override {
        for (unsigned i = 0; i < tries && std::isnan(cycles_); ++i)
            cycles_ = clock::multiplication_cycles(1e-3);
        walkers_.prepare();
        asked_.resize(threads());
        probes_.resize(threads());
        const Chains<double>& chains = loops_.float64;
        for (std::size_t lane = 0; lane < walkers_.lanes(); ++lane)
            ends_.push_back(walked(start<double>(lane),
                                   lane < walkers_.lanes() / 2 ? chains.first : chains.second,
                                   probe_steps));
        for (Probe& probe : probes_) probe.ends.resize(ends_.size());
    }

    double observe() override {
        double mean = unknown;
        for (unsigned i = 0; i < tries && std::isnan(mean); ++i) {
            walkers_.run([this](unsigned member) noexcept { observe_own(member); });
            const auto add = [](double sum, const Probe& probe) { return sum + probe.hz; };
            mean = std::accumulate(probes_.begin(), probes_.end(), 0.0, add) / threads();
        }
        return mean;
    }

    bool check() override {
        for (unsigned member = 0; member < threads(); ++member)
            if (!walkers_.right(member, asked_[member]) || !probes_[member].right) return false;
        return true;
    }

    Proof prove() override {
        bool right = check();
        for (const Probe& probe : probes_) right &= probe.product == clock::power(probe.multiplied);
        return {right, std::string("The chains, alone ") + std::to_string(asked_[0]) +
                           " times and in company, ended " + (right ? "bit for bit" : "not") +
                           " where the scalar recurrence does, and the company's product is " +
                           (right ? "" : "not ") + "that of " +
                           std::to_string(probes_[0].multiplied) + " multiplications."};
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
        probes_[member].hz = probed(probes_[member]);
    }

    // From the difference of the two, so that what happens around them does not count.
    double probed(Probe& probe) {
        std::int64_t shorter = INT64_MAX, longer = INT64_MAX;
        for (unsigned round = 0; round < rounds; ++round) {
            shorter = std::min(shorter, timed(probe, loops_.with_fewer, fewer));
            longer = std::min(longer, timed(probe, loops_.with_more, more));
        }
        const double took = static_cast<double>(longer - shorter) * clock::counter().unit;
        const double ratio = static_cast<double>(longer) / static_cast<double>(shorter);
        constexpr double twice = static_cast<double>(more) / fewer;
        if (!(std::abs(ratio / twice - 1) < slack)) return unknown;
        return cycles_ * static_cast<double>(probe_steps * (more - fewer)) / took;
    }

    // Ticks of the counter.
    std::int64_t timed(Probe& probe, Accompanied walk, std::uint64_t company) {
        std::fill(probe.ends.begin(), probe.ends.end(), 0.0);
        const std::int64_t began = clock::counter().read();
        probe.product = walk(walkers_.from(), probe.ends.data(), probe_steps, probe.product);
        const std::int64_t ended = clock::counter().read();
        probe.multiplied += probe_steps * company;
        probe.right &= probe.ends == ends_;
        return ended - began;
    }

    Loops loops_;
    Walkers<double> walkers_;
    std::string_view name_;
    double cycles_ = unknown;  // of a multiplication
    std::vector<double> ends_;
    std::vector<std::uint64_t> asked_;
    std::vector<Probe> probes_;
};

}  // namespace

std::unique_ptr<Kernel> frequency(std::vector<int> cpus, const Variant<Loops>& variant,
                                  std::uint64_t steps) {
    return std::make_unique<Frequency>(variant.function, std::move(cpus), variant.name, steps);
}

}  // namespace stend::peak
