// dgefa and dgesl, for plain.cpp and the files that compile them for wider vectors. Each of
// those has a tag of its own, so that nothing compiled for one is shared with another.
//
// The bound is daxpy's: two loads and a store for one multiply-add a lane, columns of half of n
// elements on average. Nothing is blocked on purpose: it shows the processor and the compiler.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/linpack/linpack.h"

namespace stend::linpack {

template <typename Tag>
[[gnu::always_inline]] inline void daxpy(std::size_t n, double a, const double* __restrict x,
                                         double* __restrict y) {
    for (std::size_t i = 0; i < n; ++i) y[i] += a * x[i];
}

template <typename Tag>
[[gnu::always_inline]] inline std::size_t idamax(std::size_t n, const double* x) {
    std::size_t found = 0;
    double largest = std::abs(x[0]);
    for (std::size_t i = 1; i < n; ++i)
        if (const double size = std::abs(x[i]); size > largest) {
            largest = size;
            found = i;
        }
    return found;
}

// A = P·L·U with −L below the diagonal, as dgefa leaves it.
template <typename Tag>
[[gnu::always_inline]] inline bool dgefa(Shape shape, double* a, std::int32_t* pivots) {
    const auto [n, lda] = shape;
    for (std::size_t k = 0; k < n; ++k) {
        double* const column = a + k * lda;
        const std::size_t pivot = k + idamax<Tag>(n - k, column + k);
        pivots[k] = static_cast<std::int32_t>(pivot);
        if (!(std::abs(column[pivot]) > 0)) return false;  // 0 or NaN
        std::swap(column[k], column[pivot]);
        const double factor = -1 / column[k];
        for (std::size_t i = k + 1; i < n; ++i) column[i] *= factor;
        for (std::size_t j = k + 1; j < n; ++j) {
            double* const other = a + j * lda;
            std::swap(other[k], other[pivot]);
            daxpy<Tag>(n - k - 1, other[k], column + k + 1, other + k + 1);
        }
    }
    return true;
}

template <typename Tag>
[[gnu::always_inline]] inline void dgesl(Shape shape, const double* a, const std::int32_t* pivots,
                                         double* b) {
    const auto [n, lda] = shape;
    for (std::size_t k = 0; k < n; ++k) {
        std::swap(b[k], b[pivots[k]]);
        daxpy<Tag>(n - k - 1, b[k], a + k * lda + k + 1, b + k + 1);
    }
    for (std::size_t k = n; k-- > 0;) {
        b[k] /= a[k * lda + k];
        daxpy<Tag>(k, -b[k], a + k * lda, b);
    }
}

template <typename Tag>
bool solve_plainly(Shape shape, double* a, double* b, std::int32_t* pivots) noexcept {
    if (!dgefa<Tag>(shape, a, pivots)) return false;
    dgesl<Tag>(shape, a, pivots, b);
    return true;
}

}  // namespace stend::linpack
