// CPUs in order, and the memory of what a sitting thread could use before.
#include "team/seat.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "isa/cores.h"
#include "team/affinity.h"
#include "team/cores.h"

namespace stend {
namespace {

Mask mask_of(const std::vector<int>& cpus) {
    Mask mask(std::size_t(std::ranges::max(cpus) / mask_word_bits) + 1);
    for (const int cpu : cpus)
        mask[std::size_t(cpu / mask_word_bits)] |= std::uint64_t{1} << (cpu % mask_word_bits);
    return mask;
}

std::vector<int> cpus_in(const Mask& mask) {
    std::vector<int> cpus;
    for (int cpu = 0; cpu < int(mask.size()) * mask_word_bits; ++cpu)
        if (mask[std::size_t(cpu / mask_word_bits)] >> (cpu % mask_word_bits) & 1)
            cpus.push_back(cpu);
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
    Sitter() : thread_(this_thread()), allowed_(mask_of_this_thread()) {}
    Sitter(const Sitter&) = delete;
    Sitter& operator=(const Sitter&) = delete;
    ~Sitter() { let(thread_, allowed_); }

    const Mask& allowed() const { return allowed_; }

private:
    std::int64_t thread_;
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
    if (std::ranges::min(cpus) >= 0 && let(this_thread(), mask_of(cpus))) return seat;
    std::string named;
    for (const int cpu : cpus) named += (named.empty() ? "" : ", ") + std::to_string(cpu);
    throw std::invalid_argument("This process may not run on CPU " + named + "; " +
                                std::string(advice_on_seats));
}

Seat sit(int cpu) {
    return sit_among({cpu});
}

}  // namespace stend
