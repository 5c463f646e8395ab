// Affinity masks of any length, by sched_setaffinity.
#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>

#include "team/affinity.h"

namespace stend {
namespace {

constexpr std::size_t most_words = 4096;  // 262,144 CPUs

}  // namespace

const std::string_view advice_on_seats = "choose among those that `taskset -p $$` shows.";

std::int64_t this_thread() {
    return gettid();
}

Mask mask_of_this_thread() {
    Mask mask(16);
    while (sched_getaffinity(0, mask.size() * sizeof mask[0],
                             reinterpret_cast<cpu_set_t*>(mask.data())) != 0) {
        if (errno != EINVAL || mask.size() >= most_words)
            throw std::runtime_error("The system doesn't tell which CPUs this process may use.");
        mask.resize(2 * mask.size());  // EINVAL: the kernel's own mask is longer
    }
    return mask;
}

bool let(std::int64_t thread, const Mask& mask) {
    return sched_setaffinity(static_cast<pid_t>(thread), mask.size() * sizeof mask[0],
                             reinterpret_cast<const cpu_set_t*>(mask.data())) == 0;
}

}  // namespace stend
