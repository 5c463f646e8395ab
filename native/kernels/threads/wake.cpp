// Sleepers are made once and let through again and again. Their wake-up ends when they hold the
// mutex and have read the clock, so that the way back to the waker is no part of the time.
#include "kernels/threads/wake.h"

#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "clock/dispatch.h"
#include "kernels/threads/gate.h"
#include "kernels/threads/scene.h"

namespace stend::threads {
namespace {

// Between counting itself blocked and being asleep a thread has to unlock the mutex and to enter
// the kernel, a matter of microseconds.
constexpr timespec falling_asleep{0, 1'000'000};

enum class Whom { one, all };

template <typename Clock, Whom whom>
class Wake final : public Observer {
public:
    Wake(std::uint64_t blocked, const Conditions& conditions, const Means& means)
        : conditions_(conditions),
          attributes_(others_cpus(conditions)),
          means_(means),
          sleepers_(blocked) {}

    ~Wake() override { dismiss(); }

    void prepare() override {
        for (Sleeper& sleeper : sleepers_) {
            sleeper = {&gate_, 0, 0, {}};
            const int error = means_.make(&sleeper.thread, attributes_.of(gate_.sleepers),
                                          sleep_and_run<Clock>, &sleeper);
            const Lock lock(gate_.mutex);
            if (error != 0) throw CannotStart(gate_.sleepers, error);
            ++gate_.sleepers;
        }
        watchman_ = std::thread([this] { gate_.keep_watch(means_.patience); });
        scene_.emplace(conditions_);
        const Lock lock(gate_.mutex);
        in_time_ = gate_.await_settled();
    }

    void ready(std::uint64_t /*times*/) override { nanosleep(&falling_asleep, nullptr); }

    double observe() override {
        ++asked_;
        let_through();
        const std::uint64_t began = Clock::begin();
        if constexpr (whom == Whom::all)
            pthread_cond_broadcast(&gate_.open);
        else
            pthread_cond_signal(&gate_.open);
        const Lock lock(gate_.mutex);
        in_time_ &= gate_.await_settled();
        forwards_ &= gate_.last_ran > began;
        return static_cast<double>(gate_.last_ran - began) / hz_;
    }

    bool check() override {
        const Lock lock(gate_.mutex);
        return in_time_ && forwards_ && gate_.ran == asked_ * at_a_time();
    }

    // Each sleeper's own account against what was asked for.
    Proof prove() override {
        const Lock lock(gate_.mutex);
        std::uint64_t ran = 0;
        bool each = true;
        for (const Sleeper& sleeper : sleepers_) {
            ran += sleeper.ran;
            each &= whom == Whom::one || sleeper.ran == asked_;
        }
        const bool right = in_time_ && each && ran == asked_ * at_a_time();
        return {right && forwards_, "in " + std::to_string(asked_) + " wake-ups of " +
                                        (whom == Whom::all ? "all" : "one") + " of " +
                                        std::to_string(sleepers_.size()) +
                                        " blocked threads, these counted " + std::to_string(ran) +
                                        " runs" + (right ? "" : ", not what was asked for") +
                                        (forwards_ ? "" : "; the clock ran backwards")};
    }

    std::string_view variant() const override { return "plain"; }
    std::string about() const override { return library(); }
    bool gives_way() const override { return true; }

private:
    std::uint64_t at_a_time() const { return whom == Whom::all ? sleepers_.size() : 1; }

    void let_through() {
        const Lock lock(gate_.mutex);
        gate_.runs += at_a_time();
        if constexpr (whom == Whom::all)
            ++gate_.round;
        else
            ++gate_.passes;
    }

    void dismiss() {
        {
            const Lock lock(gate_.mutex);
            gate_.over = true;
        }
        pthread_cond_broadcast(&gate_.open);
        pthread_cond_signal(&gate_.dismissed);
        if (watchman_.joinable()) watchman_.join();
        for (std::uint64_t i = 0; i < gate_.sleepers; ++i)
            pthread_join(sleepers_[i].thread, nullptr);
    }

    double hz_ = clock::remembered(Clock::name).hz;
    Conditions conditions_;
    Attributes attributes_;
    Means means_;
    Gate gate_;
    std::vector<Sleeper> sleepers_;
    std::thread watchman_;
    std::optional<Scene> scene_;
    std::uint64_t asked_ = 0;
    bool in_time_ = true, forwards_ = true;
};

template <Whom whom>
std::unique_ptr<Kernel> wake(std::uint64_t blocked, const Conditions& conditions,
                             const Means& means) {
    if (blocked == 0) throw std::invalid_argument("At least one thread is blocked, not none.");
    return clock::with_clock(
        clock::default_name(), [&]<typename Clock>(Clock) -> std::unique_ptr<Kernel> {
            return std::make_unique<Wake<Clock, whom>>(blocked, conditions, means);
        });
}

}  // namespace

std::unique_ptr<Kernel> wake_one(std::uint64_t blocked, const Conditions& conditions,
                                 const Means& means) {
    return wake<Whom::one>(blocked, conditions, means);
}

std::unique_ptr<Kernel> wake_all(std::uint64_t blocked, const Conditions& conditions,
                                 const Means& means) {
    return wake<Whom::all>(blocked, conditions, means);
}

}  // namespace stend::threads
