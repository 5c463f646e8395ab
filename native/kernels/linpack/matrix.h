// The system: which matrix, its right-hand side, and how far a solution is from solving it.
// Columns are made anew whenever they are looked at, so that no second matrix is needed.
#pragma once

#include <vector>

#include "kernels/linpack/linpack.h"

namespace stend::linpack {

// The matrix of order n: at n = 100 and n = 1000 that of the LINPACK benchmark's own generator,
// else of a better one, for the classic generator repeats itself after 16,384 numbers and gives
// singular matrices at some n (256, 512, 4000).
class System {
public:
    explicit System(std::size_t n, Side side = Side::row_sums);

    // Writes the matrix and the right-hand side of that number; what lies between the columns
    // stays.
    void write(Shape shape, double* a, double* b, std::uint64_t number = 0) const;

    // ‖A·x − b‖∞ / (ε·(‖A‖∞·‖x‖∞ + ‖b‖∞)·n), ε = 2⁻⁵³: HPL's scaled residual. NaN when x isn't
    // all numbers.
    double residual(const double* x, std::uint64_t number = 0) const;

private:
    // Calls use(j, column j), from the first to the last.
    template <typename Use>
    void each_column(Use use) const;

    std::vector<double> side(std::uint64_t number) const;

    std::size_t n_;
    Side side_;
    std::vector<double> row_sums_;
    double largest_row_ = 0;  // ‖A‖∞
};

// HPL takes a solution for right up to this scaled residual (netlib.org/benchmark/hpl).
inline constexpr double most_residual = 16;

}  // namespace stend::linpack
