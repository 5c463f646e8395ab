// Our own LU factorisation with partial pivoting (double precision), for machines without a
// BLAS and to measure BLAS libraries against. Comes in: a column-major matrix; goes out: its
// factors in the same place, the exchanges of rows, and solutions of A·x = b.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "buffers/buffer.h"
#include "kernel.h"
#include "kernels/linpack/own_method.h"
#include "team/team.h"

namespace stend::linpack {

// Slowest first; the last available one is the default.
std::span<const Variant<const OwnMethod*>> own_variants();

// Everything that it needs is allocated, and touched, when it is made. The team must outlive it.
class OwnLu {
public:
    // For systems of n equations. Throws std::invalid_argument for n = 0 or beyond 2^31 - 1, and
    // OutOfMemory.
    OwnLu(std::size_t n, const Variant<const OwnMethod*>& variant, Team& team);

    // A = P·L·U in place, lda >= n; row i was exchanged with row pivots[i] >= i, for i = 0, 1, ….
    // Returns the number of the first column without a pivot, counted from 1, or 0: with such a
    // column U is singular, and the factors are still right. For the thread that made the team.
    std::size_t factor(double* a, std::size_t lda, std::int32_t* pivots) noexcept;

    // b becomes the x of A·x = b, from the factors of a matrix in which no pivot was missing.
    void solve(const double* a, std::size_t lda, const std::int32_t* pivots,
               double* b) const noexcept;

private:
    struct Matrix;

    void make_panel(const Matrix& matrix, std::size_t first, OwnPanel& panel) noexcept;
    void update(const Matrix& matrix, const OwnPanel& panel, OwnPanel& next) noexcept;
    void exchange_left(const Matrix& matrix) noexcept;

    std::size_t n_;
    const OwnMethod& method_;
    Team& team_;
    std::size_t width_;          // columns of a panel
    std::size_t missing_ = 0;    // what factor() returns
    Buffer<double> tiles_[2];    // this panel and the next
    Buffer<double> strips_;      // of each member
    Buffer<double> columns_;     // one for each member
    Buffer<std::int32_t> rows_;  // where they come from: one list for each member
    std::vector<OwnMove> moves_[2];
};

}  // namespace stend::linpack
