// The loops of every variant but those whose vectors have no size. Included behind STEND_FOR, so
// that they are compiled for the variant's instructions; Lanes is a type of the variant's own:
//   those of Registers (registers.h); first, second: what the halves of the chains do; step(x, m,
//   b), and other(x, m, b) where the second half does something else.
#pragma once

#include <utility>

#include "clock/chain.h"
#include "kernels/peak/formula.h"
#include "kernels/peak/peak.h"
#include "kernels/peak/registers.h"

namespace stend::peak {

template <typename Lanes, std::size_t chain>
[[gnu::always_inline]] inline typename Lanes::Vector step(typename Lanes::Vector x,
                                                          typename Lanes::Vector factor,
                                                          typename Lanes::Vector term) {
    if constexpr (Lanes::first == Lanes::second || chain < Lanes::chains / 2)
        return Lanes::step(x, factor, term);
    else
        return Lanes::other(x, factor, term);
}

template <typename Lanes, std::uint64_t company, std::size_t... chain>
[[gnu::always_inline]] inline std::uint64_t walk_each(const typename Lanes::T* from,
                                                      typename Lanes::T* to, std::uint64_t steps,
                                                      std::uint64_t product,
                                                      std::index_sequence<chain...>) noexcept {
    using T = typename Lanes::T;
    typename Lanes::Vector x[]{Lanes::load(from + chain * Lanes::width)...};
    auto factor = Lanes::all(T(m<T>)), term = Lanes::all(T(b<T>));
    Lanes::hide(factor);
    Lanes::hide(term);
    for (; steps > 0; steps -= unrolled) {
#pragma GCC unroll 16
        for (std::uint64_t i = 0; i < unrolled; ++i) {
            ((x[chain] = step<Lanes, chain>(x[chain], factor, term)), ...);
            if constexpr (company != 0) product = clock::multiply(product, company);
        }
    }
    (Lanes::store(to + chain * Lanes::width, x[chain]), ...);
    return product;
}

template <typename Lanes>
void walk(const typename Lanes::T* from, typename Lanes::T* to, std::uint64_t steps) noexcept {
    walk_each<Lanes, 0>(from, to, steps, 0, std::make_index_sequence<Lanes::chains>());
}

template <typename Lanes, std::uint64_t company>
std::uint64_t walk_with(const typename Lanes::T* from, typename Lanes::T* to, std::uint64_t steps,
                        std::uint64_t product) noexcept {
    return walk_each<Lanes, company>(from, to, steps, product,
                                     std::make_index_sequence<Lanes::chains>());
}

template <typename Lanes>
std::size_t lanes() noexcept {
    return Lanes::chains * Lanes::width;
}

template <typename Lanes>
inline constexpr Chains<typename Lanes::T> chains{
    walk<Lanes>,           lanes<Lanes>, Lanes::first, Lanes::second, walk_with<Lanes, fewer>,
    walk_with<Lanes, more>};

template <typename Doubles, typename Floats, typename Integers>
inline constexpr Loops loops{chains<Doubles>, chains<Floats>, chains<Integers>};

}  // namespace stend::peak
