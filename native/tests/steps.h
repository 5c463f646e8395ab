// A piece of work instruction by instruction, by the processor's trap flag: which instructions ran,
// and which addresses of memory they named. x86-64 alone.
//
// Of an address the base and the index register are noted, for the rest of it stands in the
// instruction; of gathers and scatters the whole vector of places, but not their masks. The
// operands of divisions are noted, too: how long those take depends on them.
#pragma once

#include <cstdint>
#include <functional>

namespace steps {

struct Trace {
    std::uint64_t count = 0;  // of instructions
    std::uint64_t sum = 0;    // of all that was noted
    // The instruction where it first differed from the trace before it, if that is still known.
    std::uint64_t parted_at = 0;

    bool same_as(const Trace& other) const { return count == other.count && sum == other.sum; }
};

// `compare`: with the trace before this one, to find where they part.
Trace traced(const std::function<void()>& work, bool compare);

}  // namespace steps
