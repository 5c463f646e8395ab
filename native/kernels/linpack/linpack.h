// LINPACK (Dongarra, Luszczek, Petitet 2003): a dense system of n equations solved by LU
// factorisation with partial pivoting and substitution, in double precision. Comes in: how
// large and by what; goes out: a kernel whose one execution solves the system once, for which
// 2n³/3 + 2n² operations are counted however many are made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "blas/library.h"
#include "kernel.h"

namespace stend::linpack {

// A matrix by columns, `lda` elements from one to the next.
struct Shape {
    std::size_t n, lda;
};

// Solves A·x = b: leaves LU in `a` and x in `b`. False when A is singular.
class Solver {
public:
    virtual ~Solver() = default;
    // Called once, where the work will be done, before the first solve().
    virtual void prepare(Shape) {}
    virtual bool solve(Shape shape, double* a, double* b) noexcept = 0;
    virtual std::string_view variant() const = 0;
    virtual unsigned threads() const { return 1; }
    virtual std::string about() const { return {}; }
};

// The plain column-oriented algorithm of the LINPACK Users' Guide (Dongarra et al. 1979):
// dgefa and dgesl on daxpy, by the compiler's vectors of each instruction set.
using Plain = bool (*)(Shape shape, double* a, double* b, std::int32_t* pivots) noexcept;
std::span<const Variant<Plain>> plain_variants();
std::unique_ptr<Solver> plain(const Variant<Plain>& variant);

// The library's own LU: dgetrf and dgetrs.
std::unique_ptr<Solver> lapack(blas::Description library, unsigned threads);

// Our own blocked LU (own.h), for machines without a library. The variant must outlive it.
struct OwnMethod;
std::unique_ptr<Solver> own(const Variant<const OwnMethod*>& variant, unsigned threads);

// The algorithm on the library's routines of level 1 (daxpy), 2 (dger) or 3 (dgemm, blocks of
// 64 columns). Throws std::invalid_argument for another level.
std::unique_ptr<Solver> on_level(unsigned level, blas::Description library, unsigned threads);

// The right-hand side. LINPACK's: the sums of the rows, so that the solution is all ones, which
// a solver could write without solving. HPL's: random numbers, others for every system that is
// written, so that no solution is known before or is that of another system.
enum class Side { row_sums, random };

// Throws std::invalid_argument unless 1 <= n <= lda; prepare() throws OutOfMemory and
// Unavailable.
std::unique_ptr<Kernel> kernel(Shape shape, std::unique_ptr<Solver> solver, Side side);

}  // namespace stend::linpack
