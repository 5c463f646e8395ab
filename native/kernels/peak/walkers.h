// The threads that walk the chains: each keeps where its lanes ended, added up over all its
// repetitions, so that one left out, or a lane that went astray, is seen for ever after.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/peak/reference.h"
#include "team/team.h"

namespace stend::peak {

template <typename T>
class Walkers {
public:
    Walkers(const Chains<T>& chains, std::vector<int> cpus, std::uint64_t steps)
        : chains_(chains), cpus_(std::move(cpus)), steps_(steps) {
        if (steps == 0 || steps % unrolled != 0)
            throw std::invalid_argument(std::to_string(steps) +
                                        " steps can't be walked; ask for a multiple of " +
                                        std::to_string(unrolled) + ".");
    }

    unsigned count() const { return static_cast<unsigned>(cpus_.size()); }
    std::size_t lanes() const { return starts_.size() - starts + 1; }
    std::uint64_t steps() const { return steps_; }
    const T* from() const { return starts_.data(); }  // lane l starts from start(l)

    void prepare() {
        const std::size_t lanes = chains_.lanes();
        for (std::size_t i = 0; i < lanes + starts - 1; ++i) starts_.push_back(start<T>(i));
        first_.emplace(chains_.first, steps_);
        second_.emplace(chains_.second, steps_);
        walkers_.assign(count(), {std::vector<T>(lanes), std::vector<std::uint64_t>(lanes)});
        team_.emplace(cpus_);
    }

    // As Team::run.
    template <typename Work>
    void run(Work&& work) {
        team_->run(work);
    }

    // One repetition, by that member itself.
    void walk(unsigned member) noexcept {
        auto& [ends, sums, made] = walkers_[member];
        chains_.walk(starts_.data() + made % starts, ends.data(), steps_);
        for (std::size_t lane = 0; lane < ends.size(); ++lane) sums[lane] += bits(ends[lane]);
        ++made;
    }

    // Whether each lane of that member is where so many repetitions had to lead it.
    bool right(unsigned member, std::uint64_t repetitions) const {
        const std::vector<std::uint64_t>& sums = walkers_[member].sums;
        for (std::size_t lane = 0; lane < sums.size(); ++lane)
            if (sums[lane] != (lane < sums.size() / 2 ? first_ : second_)->of(lane, repetitions))
                return false;
        return true;
    }

private:
    struct alignas(64) Walker {
        std::vector<T> ends;
        std::vector<std::uint64_t> sums;
        std::uint64_t made = 0;
    };

    Chains<T> chains_;
    std::vector<int> cpus_;
    std::uint64_t steps_;
    std::vector<T> starts_;
    std::optional<Sums<T>> first_, second_;  // of the halves of the lanes
    std::vector<Walker> walkers_;
    std::optional<Team> team_;
};

}  // namespace stend::peak
