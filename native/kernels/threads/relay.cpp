// Where the two threads of a relay sit, and the channels, slowest first.
#include "kernels/threads/relay.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace stend::threads {
namespace {

template <typename Channel>
std::unique_ptr<Kernel> relay(Place place, const Conditions& conditions) {
    return std::make_unique<Relay<Channel>>(place, conditions);
}

template <typename Channel>
constexpr Variant<Relaying> variant{Channel::name, {}, relay<Channel>};

// What switches from one thread to the other of a CPU.
constexpr Variant<Relaying> switches[]{variant<YieldChannel>, variant<PipeChannel>,
                                       variant<FutexChannel>};

constexpr Variant<Relaying> ping_pongs[]{variant<ConditionChannel>, variant<PipeChannel>,
                                         variant<EventChannel>,     variant<SemaphoreChannel>,
                                         variant<FutexChannel>,     variant<SpinChannel>};

}  // namespace

std::vector<int> relay_cpus(Place place, const Conditions& conditions) {
    if (conditions.bound == (place == Place::any))
        throw std::invalid_argument(
            "Two threads are on the same or on another CPU when they are bound, and anywhere when "
            "they are not.");
    if (place == Place::any) return {};
    if (place == Place::other) return own_cpus(conditions, 2);
    return std::vector(2, own_cpus(conditions, 1).front());
}

Place place(std::string_view name) {
    constexpr std::array<std::string_view, 3> names{"same", "other", "any"};
    const auto found = std::ranges::find(names, name);
    if (found != names.end()) return static_cast<Place>(found - names.begin());
    throw std::invalid_argument("There is no place \"" + std::string(name) +
                                "\"; there are same, other and any.");
}

std::span<const Variant<Relaying>> switch_variants() {
    return switches;
}

std::span<const Variant<Relaying>> ping_pong_variants() {
    return ping_pongs;
}

}  // namespace stend::threads
