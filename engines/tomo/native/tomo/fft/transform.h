// A Fourier transform of complex vectors, slices in lanes: decimation in time, depth first, so that
// each part is finished while it is in the first-level cache (Frigo and Johnson, Proceedings of
// the IEEE 93(2), 2005, 3). The first pass reads through a function and the last one writes through
// one: padding, pruning, shifts and filters ride along and cost nothing.
#pragma once

#include "tomo/fft/butterflies.h"
#include "tomo/fft/plan.h"

namespace stend::tomo {

template <typename L, int sign>
class Transform {
public:
    explicit Transform(const FftPlan& plan) : plan_(plan) {}

    // Reads element i as read(i), in no order; scratch has room for plan.length; calls
    // write(k, value) for each k, when all was read.
    template <typename Read, typename Write>
    STEND_INLINE void operator()(Read read, Complex<L>* scratch, Write write) const {
        const std::size_t last = plan_.radices.size() - 1;
        if (last == 0) return first_pass_alone(read, write);
        const unsigned radix = plan_.radices[last];
        for (unsigned j = 0; j < radix; ++j)
            part(last - 1, read, j, radix, scratch + j * plan_.lengths[last - 1]);
        combine(last, scratch, write);
    }

private:
    // The transform of elements base, base + step … into `to`, by passes 0 … pass.
    template <typename Read>
    void part(std::size_t pass, const Read& read, std::size_t base, std::size_t step,
              Complex<L>* to) const {
        const unsigned radix = plan_.radices[pass];
        if (pass == 0)
            return by_radix(
                radix, [&]<unsigned r>()
                           __attribute__((always_inline)) { leaf<r>(read, base, step, to); });
        for (unsigned j = 0; j < radix; ++j)
            part(pass - 1, read, base + j * step, step * radix, to + j * plan_.lengths[pass - 1]);
        combine(
            pass, to, [to](std::size_t k, Complex<L> value) __attribute__((always_inline)) {
                to[k] = value;
            });
    }

    template <typename Read, typename Write>
    STEND_INLINE void first_pass_alone(const Read& read, const Write& write) const {
        Complex<L> all[8];
        by_radix(
            plan_.radices[0], [&]<unsigned r>()
                                  __attribute__((always_inline)) { leaf<r>(read, 0, 1, all); });
        for (std::size_t k = 0; k < plan_.length; ++k) write(k, all[k]);
    }

    template <unsigned radix, typename Read>
    STEND_INLINE static void leaf(const Read& read, std::size_t base, std::size_t step,
                                  Complex<L>* to) {
        Complex<L> x[radix];
#pragma GCC unroll 8
        for (unsigned j = 0; j < radix; ++j) x[j] = read(base + j * step);
        butterfly<radix, sign>(x);
#pragma GCC unroll 8
        for (unsigned j = 0; j < radix; ++j) to[j] = same(x[j]);
    }

    template <typename Write>
    STEND_INLINE void combine(std::size_t pass, Complex<L>* parts, const Write& write) const {
        const std::size_t length = plan_.lengths[pass - 1];
        const float* factors = plan_.twiddles[pass].data();
        by_radix(
            plan_.radices[pass], [&]<unsigned r>() __attribute__((always_inline)) {
                combine<r>(factors, length, parts, write);
            });
    }

    template <unsigned radix, typename Write>
    STEND_INLINE static void combine(const float* factors, std::size_t length, Complex<L>* parts,
                                     const Write& write) {
        for (std::size_t k = 0; k < length; ++k, factors += 2 * (radix - 1)) {
            Complex<L> x[radix];
            x[0] = same(parts[k]);
#pragma GCC unroll 8
            for (unsigned j = 1; j < radix; ++j)
                x[j] = times(parts[j * length + k], factors[2 * j - 2], factors[2 * j - 1]);
            butterfly<radix, sign>(x);
#pragma GCC unroll 8
            for (unsigned j = 0; j < radix; ++j) write(k + j * length, x[j]);
        }
    }

    template <typename Work>
    STEND_INLINE static void by_radix(unsigned radix, const Work& work) {
        switch (radix) {
            case 1:
                return work.template operator()<1>();
            case 2:
                return work.template operator()<2>();
            case 3:
                return work.template operator()<3>();
            case 4:
                return work.template operator()<4>();
            case 5:
                return work.template operator()<5>();
            case 6:
                return work.template operator()<6>();
            default:
                return work.template operator()<8>();
        }
    }

    const FftPlan& plan_;
};

}  // namespace stend::tomo
