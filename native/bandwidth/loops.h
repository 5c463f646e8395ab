// The loops for vectors that `Lanes` knows. Included by one file a vector width, behind its
// target pragma and with its own Lanes, so that nothing compiled for wide vectors is shared
// with other files. Eight vectors a step: one step's branch is then no part of the work.
#pragma once

#include "bandwidth/passes.h"
#include "bandwidth/variants.h"

namespace stend::bandwidth {

inline constexpr std::size_t unrolled = 8;

template <typename Lanes>
[[gnu::always_inline]] inline void fold(typename Lanes::Vector& parity, const Word* at) {
    parity = Lanes::differ(parity, Lanes::load(at), Lanes::load(at + Lanes::width));
}

// With AVX-512 one instruction folds two vectors into a parity, so that nothing but the loads
// bounds the loop; adding up each by itself reached 0.72 of that (README.md). Four by name: of
// an array the compiler makes memory, stored and read in every pass.
template <typename Lanes>
Word read_all(const Word* from, std::size_t words, std::uint64_t passes) noexcept {
    constexpr std::size_t width = Lanes::width, step = 2 * unrolled * width;
    const Word *const stop = from + words / step * step, *const end = from + words;
    Word sum = 0;
    for (; passes > 0; --passes) {
        auto a = Lanes::all(0), b = a, c = a, d = a;
        const Word* at = from;
        for (; at != stop; at += step) {
            for (std::size_t k = 0; k < step; k += 8 * width) {
                fold<Lanes>(a, at + k);
                fold<Lanes>(b, at + k + 2 * width);
                fold<Lanes>(c, at + k + 4 * width);
                fold<Lanes>(d, at + k + 6 * width);
            }
        }
        for (; at != end; at += width) d = Lanes::differ(d, Lanes::load(at), Lanes::all(0));
        sum += Lanes::parity(Lanes::differ(Lanes::differ(a, b, c), d, Lanes::all(0)));
        end_of_pass();
    }
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
