// The loop of every variant but those whose vectors have no size. Included behind STEND_FOR, so
// that it is compiled for the variant's instructions; Lanes is a type of the variant's own:
//   T, Vector, width, chains; load, store, all; step(x, m, b); hide(x): the compiler knows no
//   more of x than that it is in a register.
#pragma once

#include <utility>

#include "peak/formula.h"
#include "peak/peak.h"

namespace stend::peak {

template <typename Lanes, std::size_t... chain>
[[gnu::always_inline]] inline void walk_each(const typename Lanes::T* from, typename Lanes::T* to,
                                             std::uint64_t steps,
                                             std::index_sequence<chain...>) noexcept {
    using T = typename Lanes::T;
    typename Lanes::Vector x[]{Lanes::load(from + chain * Lanes::width)...};
    auto factor = Lanes::all(T(m<T>)), term = Lanes::all(T(b<T>));
    Lanes::hide(factor);
    Lanes::hide(term);
    for (; steps > 0; steps -= unrolled) {
#pragma GCC unroll 16
        for (std::uint64_t i = 0; i < unrolled; ++i)
            ((x[chain] = Lanes::step(x[chain], factor, term)), ...);
    }
    (Lanes::store(to + chain * Lanes::width, x[chain]), ...);
}

template <typename Lanes>
void walk(const typename Lanes::T* from, typename Lanes::T* to, std::uint64_t steps) noexcept {
    walk_each<Lanes>(from, to, steps, std::make_index_sequence<Lanes::chains>());
}

template <typename Lanes>
std::size_t lanes() noexcept {
    return Lanes::chains * Lanes::width;
}

template <typename Lanes>
inline constexpr Chains<typename Lanes::T> chains{walk<Lanes>, lanes<Lanes>, Lanes::kind};

}  // namespace stend::peak
