// Samples and sums in single precision. To be included after STEND_FOR.
#pragma once

#include "tomo/fbp/kernel.h"

namespace stend::tomo::fbp {

template <typename L, unsigned groups_, unsigned width_, unsigned width_alone_ = width_>
struct Float32 {
    using Lanes = L;
    using Sum = typename L::Float;
    using Weight = float;
    struct Weights {
        typename L::Float here, next;
    };
    // Vectors of slices in a batch; pixels whose sums fill the registers, and those of one vector.
    static constexpr unsigned groups = groups_, width = width_, width_alone = width_alone_;
    static constexpr bool in_integers = false;

    // Errors of 1e-4 of a picture at most (README.md), in 8 KiB of the first-level cache.
    static constexpr unsigned weight_bits = 11;

    static std::vector<float> table(std::int32_t) { return fractions(weight_bits); }

    STEND_INLINE static Weights spread(float weight) {
        typename L::Float next = broadcast<L>(weight);
#if defined(__x86_64__)
        // Else compilers subtract one number and spread it in turn, by a port that products need.
        asm("" : "+v"(next));
#endif
        return {1 - next, next};
    }

    template <std::size_t stride>
    STEND_INLINE static void add(Sum& sum, const float* sample, Weights weights) {
        sum += load<L>(sample) * weights.here;
        sum += load<L>(sample + stride) * weights.next;
    }
};

}  // namespace stend::tomo::fbp
