// macOS lets no program choose the CPUs of a thread: THREAD_AFFINITY_POLICY was a hint about shared
// caches, and Apple's own processors refuse it. So every CPU may be used, and none be sat on.
#include <algorithm>
#include <thread>

#include "team/affinity.h"

namespace stend {

const std::string_view advice_on_seats = "macOS places threads itself, so use an unbound team.";

std::int64_t this_thread() {
    return 0;  // `let` doesn't need it
}

Mask mask_of_this_thread() {
    const unsigned cpus = std::max(1U, std::thread::hardware_concurrency());
    Mask mask(cpus / mask_word_bits + 1);
    for (unsigned cpu = 0; cpu < cpus; ++cpu)
        mask[cpu / mask_word_bits] |= std::uint64_t{1} << cpu % mask_word_bits;
    return mask;
}

bool let(std::int64_t, const Mask&) {
    return false;
}

}  // namespace stend
