// LU by columns on level 1, by rank-1 updates on level 2 (LAPACK's dgetf2), by blocks of
// columns on level 3 (its dgetrf): the same operations, ever more of them in one call.
#include <algorithm>
#include <cmath>
#include <string>

#include "kernels/linpack/with_library.h"

namespace stend::linpack {
namespace {

using Index = std::int64_t;

class Level : public WithLibrary {
public:
    using WithLibrary::WithLibrary;

    bool solve(Shape shape, double* a, double* b) noexcept override {
        const auto n = static_cast<Index>(shape.n), lda = static_cast<Index>(shape.lda);
        if (!factor(n, a, lda)) return false;
        for (Index k = 0; k < n; ++k) std::swap(b[k], b[pivots()[k]]);
        substitute(n, a, lda, b);
        return true;
    }

protected:
    // Leaves in pivots() which row, from 0, each was exchanged with.
    virtual bool factor(Index n, double* a, Index lda) noexcept = 0;

    virtual void substitute(Index n, const double* a, Index lda, double* b) const noexcept {
        library().dtrsv_lower(n, a, lda, b);
        library().dtrsv_upper(n, a, lda, b);
    }

    // Finds the pivot of column k of a panel of m rows, and makes the multipliers below the
    // diagonal once its row was exchanged by exchange(row).
    template <typename Exchange>
    bool eliminate(Index m, Index k, double* column, Exchange exchange) noexcept {
        const Index row = k + library().idamax(m - k, column + k);
        if (!(std::abs(column[row]) > 0)) return false;  // 0 or NaN
        exchange(row);
        library().dscal(m - k - 1, 1 / column[k], column + k + 1);
        return true;
    }

    // dgetf2: a panel of m rows and n columns; pivots count from its first row.
    bool factor_panel(Index m, Index n, double* a, Index lda, Index* pivots) noexcept {
        for (Index k = 0; k < std::min(m, n); ++k) {
            double* const column = a + k * lda;
            const auto exchange = [&](Index row) {
                pivots[k] = row;
                if (row != k) library().dswap(n, a + k, lda, a + row, lda);
            };
            if (!eliminate(m, k, column, exchange)) return false;
            if (k + 1 < n)
                library().dger_minus(m - k - 1, n - k - 1, column + k + 1, column + lda + k, lda,
                                     column + lda + k + 1, lda);
        }
        return true;
    }
};

class Level1 final : public Level {
    using Level::Level;

    bool factor(Index n, double* a, Index lda) noexcept override {
        for (Index k = 0; k < n; ++k) {
            double* const column = a + k * lda;
            Index pivot = k;
            const auto exchange = [&](Index row) {
                pivots()[k] = pivot = row;
                if (row != k) library().dswap(n, a + k, lda, a + row, lda);
            };
            if (!eliminate(n, k, column, exchange)) return false;
            for (Index j = k + 1; j < n; ++j)
                library().daxpy(n - k - 1, -a[j * lda + k], column + k + 1, a + j * lda + k + 1);
        }
        return true;
    }

    void substitute(Index n, const double* a, Index lda, double* b) const noexcept override {
        for (Index k = 0; k < n; ++k)
            library().daxpy(n - k - 1, -b[k], a + k * lda + k + 1, b + k + 1);
        for (Index k = n; k-- > 0;) {
            b[k] /= a[k * lda + k];
            library().daxpy(k, -b[k], a + k * lda, b);
        }
    }
};

class Level2 final : public Level {
    using Level::Level;

    bool factor(Index n, double* a, Index lda) noexcept override {
        return factor_panel(n, n, a, lda, pivots());
    }
};

class Level3 final : public Level {
    using Level::Level;
    static constexpr Index block = 64;

    bool factor(Index n, double* a, Index lda) noexcept override {
        for (Index k = 0; k < n; k += block) {
            const Index width = std::min(block, n - k);
            if (!factor_panel(n - k, width, a + k * lda + k, lda, pivots() + k)) return false;
            exchange_beside(n, k, width, a, lda);
            update(n, k, width, a, lda);
        }
        return true;
    }

    // The rows that the panel exchanged, in the columns on both sides of it.
    void exchange_beside(Index n, Index k, Index width, double* a, Index lda) noexcept {
        for (Index i = k; i < k + width; ++i) {
            const Index row = pivots()[i] += k;
            if (row == i) continue;
            library().dswap(k, a + i, lda, a + row, lda);
            const Index right = k + width;
            library().dswap(n - right, a + right * lda + i, lda, a + right * lda + row, lda);
        }
    }

    void update(Index n, Index k, Index width, double* a, Index lda) noexcept {
        const Index right = k + width;
        if (right >= n) return;
        double* const above = a + right * lda + k;
        library().dtrsm_lower(width, n - right, a + k * lda + k, lda, above, lda);
        library().dgemm_minus(n - right, n - right, width, a + k * lda + right, lda, above, lda,
                              a + right * lda + right, lda);
    }
};

}  // namespace

std::unique_ptr<Solver> on_level(unsigned level, blas::Description library, unsigned threads) {
    if (level == 1) return std::make_unique<Level1>(std::move(library), threads);
    if (level == 2) return std::make_unique<Level2>(std::move(library), threads);
    if (level == 3) return std::make_unique<Level3>(std::move(library), threads);
    throw std::invalid_argument("BLAS has the levels 1, 2 and 3, and no level " +
                                std::to_string(level) + ".");
}

}  // namespace stend::linpack
