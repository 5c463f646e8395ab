// What the two observers that watch the clock share: a seat, the shortest loop, and the account of
// everything that was watched, from which the proof is made.
#pragma once

#include <cmath>
#include <string>
#include <utility>

#include "clock/company.h"
#include "kernels/noise/noise.h"
#include "kernels/noise/watch.h"
#include "team/seat.h"

namespace stend::noise {

template <typename Clock>
class Watcher : public Observer {
public:
    Watcher(double hz, double seconds, int cpu)
        : hz_(hz), window_(static_cast<std::uint64_t>(std::ceil(seconds * hz))), cpu_(cpu) {}

    void prepare() override {
        seat_ = sit(cpu_);
        shortest_ = shortest_loop<Clock>(1 << 16);
        if (shortest_ == UINT64_MAX)
            throw Unavailable(
                "The clock stood still for 65536 readings, so no detour can be told.");
        company_.meet();
    }

    // After each observation: the gaps add up to the time between the first and the last reading,
    // the clock never ran backwards, and what was asked for was watched.
    bool check() override { return sound_ && made_ == asked_; }

    Proof prove() override {
        const Proof kept = company_.part();
        return {check() && kept.right,
                std::to_string(loops_) + " loops, of which the shortest took " +
                    std::to_string(nanoseconds(shortest_)) + " ns, and " +
                    std::to_string(detours_) + " detours " + (sound_ ? "add up" : "do not add up") +
                    " to the " + std::to_string(static_cast<double>(covered_) / hz_) +
                    " s watched in " + std::to_string(made_) + " of " + std::to_string(asked_) +
                    " observations; " + kept.said};
    }

    std::string_view variant() const override { return "plain"; }

protected:
    // Watches for the window, or until so many detours were met.
    Watched observed(std::uint64_t detours) {
        ++asked_;
        const Watched seen = watch<Clock>(window_, several * shortest_, detours);
        const bool enough = seen.covered() >= window_ || seen.detours >= detours;
        sound_ &= enough && !seen.backwards && seen.within + seen.beyond == seen.covered();
        made_ += enough;
        loops_ += seen.loops;
        detours_ += seen.detours;
        covered_ += seen.covered();
        return seen;
    }

    // A detour's gap holds one loop as well.
    std::uint64_t taken(const Watched& seen) const {
        return seen.beyond - seen.detours * shortest_;
    }
    double seconds(std::uint64_t ticks) const { return static_cast<double>(ticks) / hz_; }

private:
    long nanoseconds(std::uint64_t ticks) const { return std::lround(1e9 * seconds(ticks)); }

    double hz_;
    std::uint64_t window_;
    int cpu_;
    Seat seat_;
    std::uint64_t shortest_ = 1;
    clock::Company company_{clock::reader("CLOCK_MONOTONIC")};
    std::uint64_t asked_ = 0, made_ = 0, loops_ = 0, detours_ = 0, covered_ = 0;
    bool sound_ = true;
};

// One observation watches one window to its end.
template <typename Clock>
class Lost final : public Watcher<Clock> {
public:
    using Watcher<Clock>::Watcher;

    double observe() override {
        const Watched seen = this->observed(UINT64_MAX);
        return static_cast<double>(this->taken(seen)) / static_cast<double>(seen.covered());
    }
};

// One observation ends with the first detour. None in all its time is no value, and not one of 0:
// a quiet core's detours are rare, not short.
template <typename Clock>
class Detour final : public Watcher<Clock> {
public:
    using Watcher<Clock>::Watcher;

    double observe() override {
        const Watched seen = this->observed(1);
        return seen.detours == 0 ? std::nan("") : this->seconds(this->taken(seen));
    }
};

}  // namespace stend::noise
