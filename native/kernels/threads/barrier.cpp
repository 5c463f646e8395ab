// The barriers, slowest first.
#include "kernels/threads/barrier.h"

#include <stdexcept>

#include "kernels/threads/sync.h"

namespace stend::threads {
namespace {

template <typename Kind>
std::unique_ptr<Kernel> made(unsigned threads, const Conditions& conditions,
                             std::string_view name) {
    if (threads < 2)
        throw std::invalid_argument("At a barrier at least 2 threads meet, not " +
                                    std::to_string(threads) + ".");
    return std::make_unique<Barriers<Kind>>(conditions, threads, name);
}

constexpr Variant<Barrier> variants[]{
    {"pthread",
     {},
     [](unsigned threads, const Conditions& conditions) {
         return made<PthreadBarrier>(threads, conditions, "pthread");
     }},
    {"spin",
     {},
     [](unsigned threads, const Conditions& conditions) {
         return made<SpinBarrier>(threads, conditions, "spin");
     }},
};

}  // namespace

std::span<const Variant<Barrier>> barrier_variants() {
    return variants;
}

}  // namespace stend::threads
