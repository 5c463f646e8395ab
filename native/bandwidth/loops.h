// The loops for vectors that `Lanes` knows. Included by one file a vector width, behind its
// target pragma and with its own Lanes, so that nothing compiled for wide vectors is shared
// with other files. Eight vectors a step: one step's branch is then no part of the work.
#pragma once

#include "bandwidth/passes.h"
#include "bandwidth/variants.h"

namespace stend::bandwidth {

inline constexpr std::size_t unrolled = 8;

template <typename Lanes>
Word read_all(const Word* from, std::size_t words, std::uint64_t passes) noexcept {
    constexpr std::size_t step = unrolled * Lanes::width;
    typename Lanes::Vector sums[unrolled];
    for (auto& sum : sums) sum = Lanes::all(0);
    for (; passes > 0; --passes) {
        std::size_t i = 0;
        for (; i + step <= words; i += step)
            for (std::size_t k = 0; k < unrolled; ++k)
                sums[k] = Lanes::add(sums[k], Lanes::load(from + i + k * Lanes::width));
        for (; i < words; i += Lanes::width) sums[0] = Lanes::add(sums[0], Lanes::load(from + i));
        end_of_pass();
    }
    Word sum = 0;
    for (const auto& one : sums) sum += Lanes::sum(one);
    return sum;
}

template <typename Lanes>
void write_all(Word* to, std::size_t words, Word seed, std::uint64_t passes) noexcept {
    constexpr std::size_t step = unrolled * Lanes::width;
    const auto next = Lanes::all(Lanes::width);
    for (; passes > 0; --passes, ++seed) {
        auto value = Lanes::from(seed);
        std::size_t i = 0;
        for (; i + step <= words; i += step)
            for (std::size_t k = 0; k < unrolled; ++k) {
                Lanes::store(to + i + k * Lanes::width, value);
                value = Lanes::add(value, next);
            }
        for (; i < words; i += Lanes::width) {
            Lanes::store(to + i, value);
            value = Lanes::add(value, next);
        }
        end_of_pass();
    }
    Lanes::done();
}

template <typename Lanes>
void copy_all(Word* to, const Word* from, std::size_t words, std::uint64_t passes) noexcept {
    constexpr std::size_t step = unrolled * Lanes::width;
    for (; passes > 0; --passes) {
        std::size_t i = 0;
        for (; i + step <= words; i += step)
            for (std::size_t k = 0; k < unrolled; ++k)
                Lanes::store(to + i + k * Lanes::width, Lanes::load(from + i + k * Lanes::width));
        for (; i < words; i += Lanes::width) Lanes::store(to + i, Lanes::load(from + i));
        end_of_pass();
    }
    Lanes::done();
}

template <typename Lanes>
inline constexpr Loops loops{read_all<Lanes>, write_all<Lanes>, copy_all<Lanes>};

}  // namespace stend::bandwidth
