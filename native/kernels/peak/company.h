// The frequency that chains leave a core, by company: beside them runs a chain of multiplications
// that wait for one another. Their latency in cycles is known (clock/), so while they are what is
// waited for, their time tells the frequency under the load itself. A probe that follows the load
// comes too late: a core of the Granite Rapids class ran at 3.80 GHz with AVX-512, and a probe
// right afterwards gave 3.90.
//
// That they are what is waited for is measured: twice as many have to take twice as long.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "clock/chain.h"
#include "clock/clock.h"
#include "clock/readers.h"
#include "kernels/peak/reference.h"

namespace stend::peak {

template <typename T>
class Company {
public:
    explicit Company(const Chains<T>& chains) : chains_(chains) {}

    // Once, while no chain runs.
    void prepare(unsigned members) {
        constexpr unsigned tries = 8;  // an interrupt spoils one
        for (unsigned i = 0; i < tries && std::isnan(cycles_); ++i)
            cycles_ = clock::multiplication_cycles(1e-3);
        const std::size_t lanes = chains_.lanes();
        for (std::size_t lane = 0; lane < lanes; ++lane)
            ends_.push_back(walked(start<T>(lane),
                                   lane < lanes / 2 ? chains_.first : chains_.second, probe_steps));
        probes_.assign(members, {std::vector<T>(lanes)});
    }

    // By that member itself, whose chains ran until now; lane l starts from from[l].
    void observe(unsigned member, const T* from) noexcept {
        Probe& probe = probes_[member];
        const std::int64_t shorter = timed(probe, chains_.with_fewer, fewer, from);
        const std::int64_t longer = timed(probe, chains_.with_more, more, from);
        // From the difference, so that what happens around them does not count.
        const double took = static_cast<double>(longer - shorter) * clock::counter().unit;
        const double ratio = static_cast<double>(longer) / static_cast<double>(shorter);
        constexpr double twice = static_cast<double>(more) / fewer, slack = 0.01;
        probe.hz = std::abs(ratio / twice - 1) < slack
                       ? cycles_ * static_cast<double>(probe_steps * (more - fewer)) / took
                       : unknown;
    }

    // The mean over the members; NaN where one can't tell.
    double hz() const {
        const auto add = [](double sum, const Probe& probe) { return sum + probe.hz; };
        return std::accumulate(probes_.begin(), probes_.end(), 0.0, add) /
               static_cast<double>(probes_.size());
    }

    // Whether that member's chains ended where they had to, each time.
    bool right(unsigned member) const { return probes_[member].right; }

    // Whether its company made every multiplication.
    bool complete(unsigned member) const {
        return probes_[member].product == clock::power(probes_[member].multiplied);
    }

private:
    static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    static constexpr std::uint64_t probe_steps = 2048;  // some 10 and 20 µs

    struct alignas(64) Probe {
        std::vector<T> ends;
        std::uint64_t product = 1, multiplied = 0;
        bool right = true;
        double hz = unknown;
    };

    // Ticks of the counter.
    std::int64_t timed(Probe& probe, Accompanied<T> walk, std::uint64_t company,
                       const T* from) noexcept {
        std::fill(probe.ends.begin(), probe.ends.end(), T{});
        const std::int64_t began = clock::counter().read();
        probe.product = walk(from, probe.ends.data(), probe_steps, probe.product);
        const std::int64_t ended = clock::counter().read();
        probe.multiplied += probe_steps * company;
        probe.right &= probe.ends == ends_;
        return ended - began;
    }

    Chains<T> chains_;
    double cycles_ = unknown;  // of a multiplication
    std::vector<T> ends_;
    std::vector<Probe> probes_;
};

}  // namespace stend::peak
