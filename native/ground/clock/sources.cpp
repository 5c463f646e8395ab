// Which clocks can be used here, and a sentence for each that can't.
#include <algorithm>
#include <stdexcept>

#include "clock/dispatch.h"

namespace stend::clock {
namespace {

std::string sentence(std::string_view name, Obstacle obstacle) {
    const std::string clock = "The clock " + std::string(name);
    switch (obstacle) {
        case Obstacle::none:
            return "";
        case Obstacle::other_architecture:
            return clock + " belongs to another processor architecture.";
        case Obstacle::not_invariant:
            return clock +
                   " may change its rate with the core's frequency: the processor does "
                   "not say that it is invariant (CPUID 0x80000007, EDX bit 8).";
        case Obstacle::no_core_number:
            return clock + " can't tell the core it is read on: the processor lacks RDTSCP.";
        case Obstacle::trapped:
            return clock + " faults when a program reads it: the OS or the firmware forbids it.";
    }
    return "";
}

template <typename Clock>
Source source() {
    const Obstacle obstacle = Clock::obstacle();
    return {Clock::name, obstacle, sentence(Clock::name, obstacle)};
}

std::string listed(const std::vector<Source>& sources) {
    std::string names;
    for (const Source& source : sources) {
        if (!names.empty()) names += ", ";
        names += source.name;
    }
    return names;
}

}  // namespace

std::vector<Source> sources() {
    return {source<Tsc>(), source<Cntvct>(), source<RdTime>(), source<MonotonicRaw>()};
}

std::string_view default_name() {
    const auto all = sources();
    return std::ranges::find_if(all, &Source::available)->name;
}

void require(std::string_view name) {
    const auto all = sources();
    const auto found = std::ranges::find(all, name, &Source::name);
    if (found == all.end())
        throw std::invalid_argument("There is no clock named \"" + std::string(name) +
                                    "\"; the known ones are " + listed(all) + ".");
    if (!found->available())
        throw std::invalid_argument(found->reason + " Use " + std::string(default_name()) + ".");
}

std::int64_t monotonic_ns() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace stend::clock
