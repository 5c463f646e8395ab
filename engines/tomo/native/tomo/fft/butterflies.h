// Transforms of 2, 3, 4, 5, 6 and 8 complex vectors in registers; `sign` is that of the exponent.
#pragma once

#include "tomo/lanes/lanes.h"

namespace stend::tomo {

// Times sign · i.
template <int sign, typename L>
STEND_INLINE Complex<L> turned(Complex<L> a) {
    if constexpr (sign > 0)
        return {-a.im, a.re};
    else
        return {a.im, -a.re};
}

// a + c · b
template <typename L>
STEND_INLINE Complex<L> plus(Complex<L> a, float c, Complex<L> b) {
    return {a.re + c * b.re, a.im + c * b.im};
}

// A copy part by part: GCC 12 takes whole ones through memory, sixteen bytes at a time.
template <typename L>
STEND_INLINE Complex<L> same(const Complex<L>& a) {
    return {a.re, a.im};
}

template <unsigned radix, int sign, typename L>
STEND_INLINE void butterfly(Complex<L>* x) {
    if constexpr (radix == 2) {
        const Complex<L> a = same(x[0]);
        x[0] = a + x[1];
        x[1] = a - x[1];
    } else if constexpr (radix == 3) {
        constexpr float half = -0.5F, sine = 0.866025403784F;
        const Complex<L> sum = x[1] + x[2], difference = turned<sign>(x[1] - x[2]);
        const Complex<L> middle = plus(x[0], half, sum);
        x[0] = x[0] + sum;
        x[1] = plus(middle, sine, difference);
        x[2] = plus(middle, -sine, difference);
    } else if constexpr (radix == 4) {
        const Complex<L> a = x[0] + x[2], b = x[0] - x[2], c = x[1] + x[3];
        const Complex<L> d = turned<sign>(x[1] - x[3]);
        x[0] = a + c;
        x[1] = b + d;
        x[2] = a - c;
        x[3] = b - d;
    } else if constexpr (radix == 5) {
        constexpr float c1 = 0.309016994375F, c2 = -0.809016994375F;
        constexpr float s1 = 0.951056516295F, s2 = 0.587785252292F;
        const Complex<L> t1 = x[1] + x[4], t2 = x[2] + x[3];
        const Complex<L> d1 = turned<sign>(x[1] - x[4]), d2 = turned<sign>(x[2] - x[3]);
        const Complex<L> a = plus(plus(x[0], c1, t1), c2, t2), b = plus(plus(x[0], c2, t1), c1, t2);
        const Complex<L> e = plus({s1 * d1.re, s1 * d1.im}, s2, d2);
        const Complex<L> f = plus({s2 * d1.re, s2 * d1.im}, -s1, d2);
        x[0] = x[0] + t1 + t2;
        x[1] = a + e;
        x[2] = b + f;
        x[3] = b - f;
        x[4] = a - e;
    } else if constexpr (radix == 6) {  // 2 × 3 without twiddle factors (Good)
        Complex<L> a[3] = {same(x[0]), same(x[2]), same(x[4])},
                   b[3] = {same(x[3]), same(x[5]), same(x[1])};
        butterfly<3, sign>(a);
        butterfly<3, sign>(b);
        x[0] = a[0] + b[0];
        x[3] = a[0] - b[0];
        x[4] = a[1] + b[1];
        x[1] = a[1] - b[1];
        x[2] = a[2] + b[2];
        x[5] = a[2] - b[2];
    } else if constexpr (radix == 8) {
        constexpr float half = 0.707106781187F;
        Complex<L> even[4] = {same(x[0]), same(x[2]), same(x[4]), same(x[6])},
                   odd[4] = {same(x[1]), same(x[3]), same(x[5]), same(x[7])};
        butterfly<4, sign>(even);
        butterfly<4, sign>(odd);
        const Complex<L> t1 = turned<sign>(odd[1]), t3 = turned<sign>(odd[3]);
        odd[1] = {half * (odd[1].re + t1.re), half * (odd[1].im + t1.im)};
        odd[2] = turned<sign>(odd[2]);
        odd[3] = {half * (t3.re - odd[3].re), half * (t3.im - odd[3].im)};
        for (unsigned k = 0; k < 4; ++k) {
            x[k] = even[k] + odd[k];
            x[k + 4] = even[k] - odd[k];
        }
    }
}

}  // namespace stend::tomo
