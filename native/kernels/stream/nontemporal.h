// Stores that don't read the line first and leave no copy in the caches, for vectors that
// `Lanes` knows. Included by one file a vector width, behind its target pragma and with its
// own Lanes, so that nothing compiled for wide vectors is shared with other files.
//
// Reading is what bounds these loops: a core has only so many lines on their way. Walking
// the part at four places at once, four lines each, keeps more DRAM pages and prefetch
// streams busy than one front does, and asking for the line that is eight further on starts
// each prefetch stream again after the jump (README.md has the gain of each).
#pragma once

#include "kernels/stream/formula.h"

namespace stend::stream {

inline constexpr std::size_t line = 8;  // doubles in a cache line
inline constexpr std::size_t places = 4;
inline constexpr std::size_t visit = 4 * line;
inline constexpr std::size_t ahead = 8 * line;
inline constexpr int for_reading = 0, into_l2 = 2;  // of __builtin_prefetch

template <typename Lanes, Operation operation>
[[gnu::always_inline]] inline void store_line(double* out, const double* x, const double* y,
                                              typename Lanes::Vector scalar) {
    for (std::size_t i = 0; i < line; i += Lanes::width) {
        const auto second = reads_two<operation> ? Lanes::load(y + i) : scalar;
        Lanes::stream(out + i, formula<operation>(Lanes::load(x + i), second, scalar));
    }
}

template <typename Lanes, Operation operation>
[[gnu::always_inline]] inline void store_visit(double* out, const double* x, const double* y,
                                               typename Lanes::Vector scalar) {
    for (std::size_t i = 0; i < visit; i += line) {
        __builtin_prefetch(x + i + ahead, for_reading, into_l2);
        if constexpr (reads_two<operation>) __builtin_prefetch(y + i + ahead, for_reading, into_l2);
        store_line<Lanes, operation>(out + i, x + i, y + i, scalar);
    }
}

template <typename Lanes, Operation operation>
void walk(double* __restrict out, const double* __restrict x, const double* __restrict y,
          double scalar, std::size_t count) noexcept {
    const auto scalars = Lanes::all(scalar);
    const std::size_t stretch = count / (places * visit) * visit;
    for (std::size_t i = 0; i < stretch; i += visit)
        for (std::size_t place = 0; place < places; ++place) {
            const std::size_t k = place * stretch + i;
            store_visit<Lanes, operation>(out + k, x + k, y + k, scalars);
        }

    std::size_t rest = places * stretch;
    for (; rest + line <= count; rest += line)
        store_line<Lanes, operation>(out + rest, x + rest, y + rest, scalars);
    for (; rest < count; ++rest) out[rest] = formula<operation>(x[rest], y[rest], scalar);
    _mm_sfence();
}

template <typename Lanes>
inline constexpr Loops walks{walk<Lanes, Operation::copy>, walk<Lanes, Operation::scale>,
                             walk<Lanes, Operation::add>, walk<Lanes, Operation::triad>};

}  // namespace stend::stream
