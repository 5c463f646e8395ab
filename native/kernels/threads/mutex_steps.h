// One step of a mutex's life, alone: passes over mutexes that stay in the first cache, each step
// done to all of them before the next one begins; the step in question is timed and added up, so a
// figure holds its share of a loop (under a cycle) and of reading the clock (20 ns a pass).
#pragma once

#include <pthread.h>

#include <array>
#include <cstring>
#include <string>

#include "kernels/threads/rounds.h"
#include "kernels/threads/sync.h"

namespace stend::threads {

struct PthreadMutexes {
    template <Step step>
    static void apply(pthread_mutex_t& mutex) {
        if constexpr (step == Step::create) pthread_mutex_init(&mutex, nullptr);
        if constexpr (step == Step::lock) pthread_mutex_lock(&mutex);
        if constexpr (step == Step::unlock) pthread_mutex_unlock(&mutex);
        if constexpr (step == Step::destroy) pthread_mutex_destroy(&mutex);
    }
};

// The proof: after each step every mutex is, byte for byte, as one that the same thread took
// through the same calls, beginning with memory full of ones.
template <typename Mutexes>
class MutexSteps final : public Rounds {
public:
    MutexSteps(Step timed, const Conditions& conditions) : Rounds(conditions, 1), timed_(timed) {}

    bool check() override { return passes_ == asked() && wrong_ == 0; }

    Proof prove() override {
        return {check(), std::to_string(wrong_) + " of " + std::to_string(mutexes_.size()) +
                             " mutexes in " + std::to_string(passes_) + " of " +
                             std::to_string(asked()) +
                             " passes were, after one of their four steps, not byte for byte as a "
                             "mutex that went through the same calls"};
    }

protected:
    void set_up() override {
        std::memset(&mutexes_, 0xFF, sizeof mutexes_);
        pthread_mutex_t model;
        std::memset(&model, 0xFF, sizeof model);
        with_each_step([&]<Step step>() {
            PthreadMutexes::apply<step>(model);
            std::memcpy(&models_[static_cast<std::size_t>(step)], &model, sizeof model);
        });
    }

    double round(std::uint64_t passes) override {
        double timed = 0;
        for (; passes > 0; --passes) {
            with_each_step([&]<Step step>() {
                watch_.start();
                apply_to_all<step>();
                if (step == timed_) timed += watch_.seconds();
                wrong_ += different_from<step>();
            });
            ++passes_;
        }
        return timed;
    }

    unsigned operations() const override { return mutexes_.size(); }

private:
    template <typename Work>
    static void with_each_step(Work&& work) {
        work.template operator()<Step::create>();
        work.template operator()<Step::lock>();
        work.template operator()<Step::unlock>();
        work.template operator()<Step::destroy>();
    }

    // What a call returns isn't looked at, since what it did to the mutex is.
    template <Step step>
    void apply_to_all() {
        for (pthread_mutex_t& mutex : mutexes_) Mutexes::template apply<step>(mutex);
    }

    template <Step step>
    std::uint64_t different_from() const {
        const pthread_mutex_t& model = models_[static_cast<std::size_t>(step)];
        std::uint64_t different = 0;
        for (const pthread_mutex_t& mutex : mutexes_)
            different += std::memcmp(&mutex, &model, sizeof model) != 0;
        return different;
    }

    Step timed_;
    // 20 to 25 KB: any first cache holds them, and reading the clock is 0.04 ns of each.
    alignas(64) std::array<pthread_mutex_t, 512> mutexes_;
    std::array<pthread_mutex_t, 4> models_;
    std::uint64_t passes_ = 0, wrong_ = 0;
};

}  // namespace stend::threads
