// The wall between what is timed and what times it. A kernel room includes this header and the
// ground, never another room; the sampler knows kernels only by this header.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "isa/variant.h"

namespace stend {

// This machine lacks what the kernel needs, as only trying shows: a library, huge pages. Thrown
// while a kernel is made or prepared; the case is then skipped. what() is a sentence.
class Unavailable : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// The system refused in the middle of the work what it had room for when the run began: one more
// thread, one more pipe. Thrown at any time; the case has then failed. what() is a sentence.
class Failed : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// What shows that the work was really done and right.
struct Proof {
    bool right = false;
    std::string said;  // one sentence: what was compared with what, and the outcome
};

class Kernel {
public:
    Kernel() = default;
    Kernel(const Kernel&) = delete;
    Kernel& operator=(const Kernel&) = delete;
    virtual ~Kernel() = default;

    // Allocates, places and fills the data. Untimed, called once before anything else.
    virtual void prepare() {}

    // Called before every timed batch, untimed: makes fresh what the work destroys, for as many
    // executions as follow.
    virtual void ready(std::uint64_t /*times*/) {}

    // The work, `times` times over. This is what is timed: no allocation, no locks
    // that the work itself doesn't have.
    virtual void repeat(std::uint64_t times) = 0;

    // Called after every timed batch, untimed, so it must be cheap: is what the batch
    // left behind what it had to leave? Must fail when a repetition was left out.
    virtual bool check() = 0;

    // Called once, at the end: the whole result against an independent computation.
    virtual Proof prove() = 0;

    // The variant that runs (isa/variant.h; rooms keep theirs in a list, slowest first), and on how
    // many threads.
    virtual std::string_view variant() const = 0;
    virtual unsigned threads() const { return 1; }

    // Whether threads that it makes or wakes are meant to take its own thread's core: losing it is
    // then part of the work, and repetitions are not marked as preempted.
    virtual bool gives_way() const { return false; }

    // What each repetition tells besides, by name with its unit ("injected B/s"), and what the
    // last one told of it, in the same order; asked after check().
    virtual std::vector<std::string> columns() const { return {}; }
    virtual std::span<const double> further() const { return {}; }

    // What else ran that belongs to the record, such as a library and its version; a line.
    virtual std::string about() const { return {}; }
};

// A kernel that reports its own value (a step of a clock, an error) instead of being
// timed: each repetition is one observation, in the benchmark's unit.
class Observer : public Kernel {
public:
    virtual double observe() = 0;

    void repeat(std::uint64_t times) final {
        while (times-- > 0) observe();
    }
};

}  // namespace stend
