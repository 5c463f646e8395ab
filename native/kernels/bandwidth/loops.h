// The loops for vectors that `Lanes` knows. Included by one file a vector width, behind its
// target pragma and with its own Lanes, so that nothing compiled for wide vectors is shared
// with other files. Four vectors a step or more: its branch is then no part of the work.
#pragma once

#include "kernels/bandwidth/passes.h"
#include "kernels/bandwidth/variants.h"

namespace stend::bandwidth {

inline constexpr std::size_t unrolled = 8;
// What L1 is taken to hold: more of it comes from further away, where other loops are best.
inline constexpr std::size_t near = (std::size_t{48} << 10) / sizeof(Word);

template <typename Lanes>
[[gnu::always_inline]] inline void fold(typename Lanes::Vector& parity, const Word* at) {
    parity = Lanes::differ(parity, Lanes::load(at), Lanes::load(at + Lanes::width));
}

// With AVX-512 one instruction folds two vectors into a parity; adding up each by itself reached
// 0.72 of that (README.md). The parities have names: of an array the compiler makes memory, stored
// and read in every pass. Short steps, so that L2's lines come as fast as they can.
template <typename Lanes>
Word read_far(const Word* from, std::size_t words, std::uint64_t passes) noexcept {
    constexpr std::size_t width = Lanes::width, step = 4 * width;
    const Word *const stop = from + words / step * step, *const end = from + words;
    Word sum = 0;
    for (; passes > 0; --passes) {
        auto a = Lanes::all(0), b = a;
        const Word* at = from;
        for (; at != stop; at += step) {
            fold<Lanes>(a, at);
            fold<Lanes>(b, at + 2 * width);
        }
        for (; at != end; at += width) b = Lanes::differ(b, Lanes::load(at), Lanes::all(0));
        sum += Lanes::parity(Lanes::differ(a, b, Lanes::all(0)));
        end_of_pass();
    }
    return sum;
}

// Loads what the compiler then can't leave out.
template <typename Lanes>
[[gnu::always_inline]] inline void load_only(const Word* at) {
    asm volatile("" ::"x"(Lanes::load(at)));
}

// A pass that loads all vectors and folds every other pair of them; the odd pass folds the rest.
template <typename Lanes, bool odd>
Word read_half(const Word* from, std::size_t words) noexcept {
    constexpr std::size_t width = Lanes::width, step = 16 * width;
    constexpr std::size_t folded = odd ? 2 * width : 0, loaded = odd ? 0 : 2 * width;
    const Word *const stop = from + words / step * step, *const end = from + words;
    auto a = Lanes::all(0), b = a, c = a, d = a;
    const auto four = [](typename Lanes::Vector& parity, const Word* at) {
        fold<Lanes>(parity, at + folded);
        load_only<Lanes>(at + loaded);
        load_only<Lanes>(at + loaded + width);
    };
    const Word* at = from;
    for (; at != stop; at += step) {
        four(a, at);
        four(b, at + 4 * width);
        four(c, at + 8 * width);
        four(d, at + 12 * width);
    }
    for (; at != end; at += width)
        if (odd)
            d = Lanes::differ(d, Lanes::load(at), Lanes::all(0));
        else
            load_only<Lanes>(at);
    end_of_pass();
    return Lanes::parity(Lanes::differ(Lanes::differ(a, b, c), d, Lanes::all(0)));
}

// From L1 even one fold for two loads slows them down (README.md), so two passes share the folds.
template <typename Lanes>
Word read_near(const Word* from, std::size_t words, std::uint64_t passes) noexcept {
    Word sum = 0;
    for (; passes > 1; passes -= 2)
        sum += 2 * (read_half<Lanes, false>(from, words) ^ read_half<Lanes, true>(from, words));
    return sum + read_far<Lanes>(from, words, passes);
}

template <typename Lanes>
Word read_all(const Word* from, std::size_t words, std::uint64_t passes) noexcept {
    return words <= near ? read_near<Lanes>(from, words, passes)
                         : read_far<Lanes>(from, words, passes);
}

// A line that is to be written is asked for `ahead` of its store, unless that is 0.
template <typename Lanes, std::size_t ahead = 0>
void write_steps(Word* to, std::size_t words, Word seed, std::uint64_t passes) noexcept {
    constexpr std::size_t step = unrolled * Lanes::width;
    const auto next = Lanes::all(Lanes::width);
    for (; passes > 0; --passes, ++seed) {
        auto value = Lanes::from(seed);
        std::size_t i = 0;
        for (; i + step <= words; i += step)
            for (std::size_t k = 0; k < unrolled; ++k) {
                if (ahead > 0 && k * Lanes::width % line == 0)
                    __builtin_prefetch(to + i + k * Lanes::width + ahead);
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

// From memory asking gains a fifth, from L2 1% (README.md).
template <typename Lanes>
void write_all(Word* to, std::size_t words, Word seed, std::uint64_t passes) noexcept {
    if (words <= near)
        write_steps<Lanes>(to, words, seed, passes);
    else
        write_steps<Lanes, 16 * line>(to, words, seed, passes);
}

template <typename Lanes, std::size_t ahead>
void copy_steps(Word* to, const Word* from, std::size_t words, std::uint64_t passes) noexcept {
    constexpr std::size_t step = unrolled * Lanes::width;
    for (; passes > 0; --passes) {
        std::size_t i = 0;
        for (; i + step <= words; i += step)
            for (std::size_t k = 0; k < step; k += Lanes::width) {
                if (ahead > 0 && k % line == 0) __builtin_prefetch(to + i + k + ahead);
                Lanes::store(to + i + k, Lanes::load(from + i + k));
            }
        for (; i < words; i += Lanes::width) Lanes::store(to + i, Lanes::load(from + i));
        end_of_pass();
    }
}

// In L1 asking would only cost (0.97); from L2 it gains 7% (README.md).
template <typename Lanes>
void copy_all(Word* to, const Word* from, std::size_t words, std::uint64_t passes) noexcept {
    if (2 * words <= near)
        copy_steps<Lanes, 0>(to, from, words, passes);
    else
        copy_steps<Lanes, 16 * line>(to, from, words, passes);
}

// For stores past the caches: at four places at once and asking L2 for what is read, as
// native/kernels/stream/nontemporal.h says and why.
template <typename Lanes>
void copy_at_four(Word* to, const Word* from, std::size_t words, std::uint64_t passes) noexcept {
    constexpr std::size_t places = 4, visit = 4 * line, ahead = 8 * line;
    const std::size_t stretch = words / (places * visit) * visit;
    const auto copy_line = [to, from](std::size_t i) {
        for (std::size_t k = 0; k < line; k += Lanes::width)
            Lanes::store(to + i + k, Lanes::load(from + i + k));
    };
    for (; passes > 0; --passes) {
        for (std::size_t i = 0; i < stretch; i += visit)
            for (std::size_t begin = i; begin < places * stretch; begin += stretch)
                for (std::size_t k = 0; k < visit; k += line) {
                    __builtin_prefetch(from + begin + k + ahead, 0, 2);
                    copy_line(begin + k);
                }
        for (std::size_t i = places * stretch; i < words; i += line) copy_line(i);
        end_of_pass();
    }
    Lanes::done();
}

template <typename Lanes>
inline constexpr Loops loops{read_all<Lanes>, write_all<Lanes>, copy_all<Lanes>};

// Of lanes whose stores go past the caches; reading knows no such.
template <typename Lanes>
inline constexpr Stores stores{write_steps<Lanes>, copy_at_four<Lanes>};

}  // namespace stend::bandwidth
