// The transforms of Winograd's minimal filtering (S. Winograd, "Arithmetic Complexity of
// Computations", 1980; Lavin, Gray, "Fast Algorithms for Convolutional Neural Networks", CVPR
// 2016): down columns F(2, 3) on the points 0, 1, -1, ∞, along rows F(4, 3) on 0, ±2/3, ±3/2, ∞. To
// be included where lanes.h is.
#pragma once

#include <array>

#include "unet/bfloat16/lanes.h"

namespace stend::unet::bfloat16::transforms {

inline constexpr std::size_t rows = 2, columns = 4;        // of outputs
inline constexpr std::size_t in_rows = 4, in_columns = 6;  // of inputs, and of products
inline constexpr std::size_t points = in_rows * in_columns;

// The two points, a·b = 1, and the sum of their squares.
inline constexpr double a = 2.0 / 3, b = 3.0 / 2, sum_of_squares = a * a + b * b;

// A 3×3 kernel's, exactly enough.
inline std::array<double, points> of_weights(const float* kernel) {
    constexpr double at_a = 1 / (2 * a * a * (a * a - b * b)),
                     at_b = 1 / (2 * b * b * (b * b - a * a));
    constexpr double down[in_rows][3] = {{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}};
    constexpr double along[in_columns][3] = {{1, 0, 0},
                                             {at_a, a * at_a, a * a * at_a},
                                             {at_a, -a * at_a, a * a * at_a},
                                             {at_b, b * at_b, b * b * at_b},
                                             {at_b, -b * at_b, b * b * at_b},
                                             {0, 0, 1}};
    std::array<double, points> made{};
    for (std::size_t i = 0; i < in_rows; ++i)
        for (std::size_t j = 0; j < in_columns; ++j)
            for (std::size_t y = 0; y < 3; ++y)
                for (std::size_t x = 0; x < 3; ++x)
                    made[i * in_columns + j] += down[i][y] * along[j][x] * kernel[y * 3 + x];
    return made;
}

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16")

STEND_INLINE Lanes operator*(double factor, Lanes lanes) {
    const __m512 by = _mm512_set1_ps(static_cast<float>(factor));
    return {_mm512_mul_ps(by, lanes.low), _mm512_mul_ps(by, lanes.high)};
}

STEND_INLINE Lanes fma(double factor, Lanes lanes, Lanes to) {
    const __m512 by = _mm512_set1_ps(static_cast<float>(factor));
    return {_mm512_fmadd_ps(by, lanes.low, to.low), _mm512_fmadd_ps(by, lanes.high, to.high)};
}

STEND_INLINE void input_down(const Lanes (&d)[in_rows], Lanes (&to)[in_rows]) {
    to[0] = d[0] - d[2];
    to[1] = d[1] + d[2];
    to[2] = d[2] - d[1];
    to[3] = d[1] - d[3];
}

STEND_INLINE void input_along(const Lanes (&d)[in_columns], Lanes (&to)[in_columns]) {
    const Lanes even_a = fma(-b * b, d[2], d[4]), odd_a = a * fma(-b * b, d[1], d[3]);
    const Lanes even_b = fma(-a * a, d[2], d[4]), odd_b = b * fma(-a * a, d[1], d[3]);
    to[0] = fma(-sum_of_squares, d[2], d[0] + d[4]);
    to[1] = even_a + odd_a;
    to[2] = even_a - odd_a;
    to[3] = even_b + odd_b;
    to[4] = even_b - odd_b;
    to[5] = fma(-sum_of_squares, d[3], d[1] + d[5]);
}

STEND_INLINE void output_down(const Lanes (&m)[in_rows], Lanes (&to)[rows]) {
    to[0] = m[0] + m[1] + m[2];
    to[1] = m[1] - m[2] - m[3];
}

STEND_INLINE void output_along(const Lanes (&m)[in_columns], Lanes (&to)[columns]) {
    const Lanes sum_a = m[1] + m[2], difference_a = m[1] - m[2];
    const Lanes sum_b = m[3] + m[4], difference_b = m[3] - m[4];
    to[0] = m[0] + sum_a + sum_b;
    to[1] = fma(a, difference_a, b * difference_b);
    to[2] = fma(a * a, sum_a, b * b * sum_b);
    to[3] = fma(a * a * a, difference_a, fma(b * b * b, difference_b, m[5]));
}

STEND_FOR_ANY

}  // namespace stend::unet::bfloat16::transforms
