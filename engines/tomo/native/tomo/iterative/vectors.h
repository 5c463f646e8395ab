// Sums and multiples of vectors of slices in lanes; each lane has factors and sums of its own. What
// is wrong in one lane stays in it. To be included after STEND_FOR.
#pragma once

#include "tomo/lanes/lanes.h"

namespace stend::tomo::iterative {

// Squares are summed in floats this many at a time, then in doubles.
inline constexpr std::size_t summed_together = 64;

template <typename L>
STEND_INLINE void add_to(double* sums, typename L::Float part) {
    float each[L::count];
    store<L>(each, part);
    for (unsigned lane = 0; lane < L::count; ++lane) sums[lane] += static_cast<double>(each[lane]);
}

template <typename L>
STEND_INLINE typename L::Float weighted(typename L::Float value, const float* weights,
                                        std::size_t i) {
    return weights == nullptr ? value : value * weights[i];
}

template <typename L>
void subtract(const float* b, const float* q, const float* weights, std::size_t pixels,
              float* difference, double* sums) {
    for (unsigned lane = 0; lane < L::count; ++lane) sums[lane] = 0;
    for (std::size_t i = 0; i < pixels;) {
        const std::size_t end = i + summed_together < pixels ? i + summed_together : pixels;
        typename L::Float part{};
        for (; i < end; ++i) {
            const typename L::Float value = load<L>(b + i * L::count) - load<L>(q + i * L::count);
            part += value * value;
            store<L>(difference + i * L::count, weighted<L>(value, weights, i));
        }
        add_to<L>(sums, part);
    }
}

template <typename L>
void advance(float* x, const float* step, const float* s, const float* weights, std::size_t pixels,
             bool clamp) {
    const typename L::Float factor = load<L>(step), zero{};
    for (std::size_t i = 0; i < pixels; ++i) {
        typename L::Float value =
            load<L>(x + i * L::count) + factor * weighted<L>(load<L>(s + i * L::count), weights, i);
        if (clamp) value = value < zero ? zero : value;  // NaN stays
        store<L>(x + i * L::count, value);
    }
}

template <typename L>
void turn(float* d, const float* step, const float* s, std::size_t pixels) {
    const typename L::Float factor = load<L>(step);
    for (std::size_t i = 0; i < pixels; ++i)
        store<L>(d + i * L::count, load<L>(s + i * L::count) + factor * load<L>(d + i * L::count));
}

template <typename L>
void hold(float* s, const float* x, std::size_t pixels) {
    const typename L::Float zero{};
    for (std::size_t i = 0; i < pixels; ++i) {
        const typename L::Float value = load<L>(s + i * L::count);
        const typename L::Float held = value < zero ? zero : value;  // NaN stays
        store<L>(s + i * L::count, load<L>(x + i * L::count) > zero ? value : held);
    }
}

template <typename L>
void keep_held(float* s, const float* d, std::size_t pixels) {
    const typename L::Float zero{};
    for (std::size_t i = 0; i < pixels; ++i)
        store<L>(s + i * L::count,
                 load<L>(d + i * L::count) == zero ? zero : load<L>(s + i * L::count));
}

template <typename L>
void squares(const float* x, std::size_t pixels, double* sums) {
    for (unsigned lane = 0; lane < L::count; ++lane) sums[lane] = 0;
    for (std::size_t i = 0; i < pixels;) {
        const std::size_t end = i + summed_together < pixels ? i + summed_together : pixels;
        typename L::Float part{};
        for (; i < end; ++i) {
            const typename L::Float value = load<L>(x + i * L::count);
            part += value * value;
        }
        add_to<L>(sums, part);
    }
}

template <typename L>
void load_rows(const float* const* rows, std::size_t pixels, float* to) {
    into_lanes<L>(rows, pixels, to, L::count);
}

template <typename L>
void unload_rows(const float* from, std::size_t pixels, float* const* rows, unsigned count) {
    out_of_lanes<L>(
        from, L::count, pixels, [](std::size_t) { return 1.0F; }, rows, count);
}

}  // namespace stend::tomo::iterative
