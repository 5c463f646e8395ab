// Operations that take less than the clock's step, or that only make sense many at a time: a round
// is so many that it lasts long enough, found once before the first observation.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "kernel.h"
#include "kernels/threads/conditions.h"
#include "kernels/threads/scene.h"

namespace stend::threads {

// The sampler's default clock, read as the sampler reads it.
class Stopwatch {
public:
    Stopwatch();

    void start() { began_ = begin_(); }
    double seconds() const { return static_cast<double>(end_() - began_) / hz_; }
    double resolution() const { return resolution_; }

private:
    std::uint64_t (*begin_)() = nullptr;
    std::uint64_t (*end_)() = nullptr;
    double hz_ = 1, resolution_ = 0;
    std::uint64_t began_ = 0;
};

// A thread that sleeps. In a process of one thread the C library leaves out what only several
// need (glibc locks without an atomic instruction), and nobody synchronises there.
class Bystander {
public:
    Bystander();
    Bystander(const Bystander&) = delete;
    Bystander& operator=(const Bystander&) = delete;
    ~Bystander();

private:
    std::mutex mutex_;
    std::condition_variable over_;
    bool is_over_ = false;
    std::thread thread_;
};

class Rounds : public Observer {
public:
    void prepare() final;
    double observe() final;
    bool gives_way() const override { return conditions_.load > 0; }
    std::string_view variant() const override { return variant_; }
    std::string about() const override;

protected:
    Rounds(const Conditions& conditions, unsigned threads, std::string_view variant = "plain");

    // Makes ready what the rounds need; the measuring thread sits already, and the load computes.
    virtual void set_up() = 0;

    // Makes so many turns, in each thread; s that what is timed of them took.
    virtual double round(std::uint64_t turns) = 0;

    // s that what is timed of a round lasts at least; as the sampler batches. The clock's step and
    // what reading it costs are then below 0.1%.
    virtual double shortest() const { return 50e-6; }

    // Of one turn.
    virtual unsigned operations() const { return 1; }

    const Conditions& conditions() const { return conditions_; }
    unsigned measuring() const { return threads_; }
    std::uint64_t asked() const { return asked_; }  // turns so far
    std::uint64_t usual() const { return turns_; }  // turns of a round
    Stopwatch watch_;

private:
    double made(std::uint64_t turns);
    bool is_long_enough(std::uint64_t turns);

    Conditions conditions_;
    unsigned threads_;
    std::string_view variant_;
    std::optional<Scene> scene_;
    Bystander bystander_;
    std::uint64_t turns_ = 1, asked_ = 0;
};

}  // namespace stend::threads
