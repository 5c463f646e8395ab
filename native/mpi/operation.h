// One kind of communication: every rank makes one of these and they work together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "mpi/payload.h"

namespace stend::mpi {

struct Size {
    std::size_t bytes = 0;   // of one message
    std::size_t window = 0;  // messages under way at once, where there is a window
    int rank = 0, ranks = 0;
};

// A repetition is fresh(), run(), arrived(), by all ranks together; only what run() times counts.
class Operation {
public:
    Operation() = default;
    Operation(const Operation&) = delete;
    Operation& operator=(const Operation&) = delete;
    virtual ~Operation() = default;

    // Untimed: new contents for the repetition of that number.
    virtual void fresh(std::uint64_t number, Extent extent) = 0;

    // The work, `times` times over; how long this rank's own took on its own clock, in ns.
    virtual std::int64_t run(std::uint64_t times) = 0;

    // Untimed: whether what this rank had to receive is there.
    virtual bool arrived(std::uint64_t number, Extent extent) = 0;

    // The repetition's value, from what each rank's own took (s, one execution).
    virtual double value(const std::vector<double>& seconds) const = 0;

    // Whether the time is the value, so that short work may be timed many times in one.
    virtual bool batched() const { return false; }

    // Of a rank's own duration, how much is told: half of a round trip.
    virtual double share() const { return 1.0; }
};

// By name: pingpong, bidirectional, message_rate, put, get, barrier, bcast, allreduce, alltoall,
// gather. Null when there is none of that name. Called by all ranks.
std::unique_ptr<Operation> pair_of(const std::string& name, const Size& size);
std::unique_ptr<Operation> one_sided(const std::string& name, const Size& size);
std::unique_ptr<Operation> collective(const std::string& name, const Size& size);

// The seed of what `from` sends to `to`.
inline std::uint64_t seed(int from, int to) {
    return (static_cast<std::uint64_t>(from) << 32) + static_cast<std::uint64_t>(to) + 1;
}

}  // namespace stend::mpi
