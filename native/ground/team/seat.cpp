// Affinity masks of any length, and the memory of what a sitting thread could use before.
#include "team/seat.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <stdexcept>
#include <string>
#include <utility>

#include "isa/cores.h"
#include "team/cores.h"

namespace stend {
namespace {

using Mask = std::vector<unsigned long>;
constexpr int word_bits = sizeof(unsigned long) * CHAR_BIT;
constexpr std::size_t most_words = 4096;  // 262,144 CPUs on a 64-bit machine

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

bool let(pid_t thread, const Mask& mask) {
    return sched_setaffinity(thread, mask.size() * sizeof mask[0],
                             reinterpret_cast<const cpu_set_t*>(mask.data())) == 0;
}

Mask mask_of(const std::vector<int>& cpus) {
    Mask mask(std::size_t(std::ranges::max(cpus) / word_bits) + 1);
    for (const int cpu : cpus) mask[std::size_t(cpu / word_bits)] |= 1UL << (cpu % word_bits);
    return mask;
}

std::vector<int> cpus_in(const Mask& mask) {
    std::vector<int> cpus;
    for (int cpu = 0; cpu < int(mask.size()) * word_bits; ++cpu)
        if (mask[std::size_t(cpu / word_bits)] >> (cpu % word_bits) & 1) cpus.push_back(cpu);
    return cpus;
}

std::vector<int> ordered(std::vector<int> cpus, Order order) {
    switch (order) {
        case Order::one_a_core:
            return one_a_core_first(std::move(cpus), isa::core_of);
        case Order::scattered:
            return scattered(std::move(cpus), isa::core_of, isa::package_of);
        case Order::compacted:
            return compacted(std::move(cpus), isa::core_of, isa::package_of);
    }
    return cpus;
}

}  // namespace

class Sitter {
public:
    Sitter() : thread_(gettid()), allowed_(mask_of_this_thread()) {}
    Sitter(const Sitter&) = delete;
    Sitter& operator=(const Sitter&) = delete;
    ~Sitter() { let(thread_, allowed_); }

    const Mask& allowed() const { return allowed_; }

private:
    pid_t thread_;
    Mask allowed_;
};

static thread_local std::weak_ptr<const Sitter> sitting;

std::vector<int> usable_cpus() {
    const Seat seat = sitting.lock();
    return cpus_in(seat ? seat->allowed() : mask_of_this_thread());
}

std::vector<int> first_cpus(unsigned count, Order order) {
    std::vector<int> cpus = ordered(usable_cpus(), order);
    if (count == 0 || count > cpus.size())
        throw std::invalid_argument(
            std::to_string(count) + " threads were asked for; this process may use " +
            std::to_string(cpus.size()) + " CPUs, so ask for 1 to as many as those.");
    cpus.resize(count);
    return cpus;
}

Seat sit_among(const std::vector<int>& cpus) {
    Seat seat = sitting.lock();
    if (!seat) sitting = seat = std::make_shared<const Sitter>();
    if (cpus.empty())
        throw std::invalid_argument("A thread sits on at least one CPU, not on none.");
    if (std::ranges::min(cpus) >= 0 && let(0, mask_of(cpus))) return seat;
    std::string named;
    for (const int cpu : cpus) named += (named.empty() ? "" : ", ") + std::to_string(cpu);
    throw std::invalid_argument("This process may not run on CPU " + named +
                                "; choose among those that `taskset -p $$` shows.");
}

Seat sit(int cpu) {
    return sit_among({cpu});
}

}  // namespace stend
