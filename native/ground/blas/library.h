// A BLAS with LAPACK that is loaded by name at run time. Comes in: which files, and how it
// spells its symbols; goes out: the routines, by the reference BLAS's names and arguments
// (netlib.org/blas, netlib.org/lapack). A process loads one: two would share what they export.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernel.h"

namespace stend::blas {

struct Description {
    std::string name;                 // as users know it
    std::vector<std::string> before;  // files it needs loaded first, for everyone to see
    std::string blas;                 // the file with daxpy …
    std::string lapack;               // the file with dgetrf …; may be the same
    std::string prefix, suffix;       // of every symbol: "scipy_" and "_" make scipy_daxpy_
    bool wide = false;                // integers have 64 bits
    std::string set_threads;          // the function that takes the number of threads, or
    std::string threads_variable;     // the environment's variable that is read for it, or neither
    std::string version;              // the function that gives a line about it; may be empty
};

class Library {
public:
    // Throws Unavailable when a file can't be loaded or lacks a routine, std::invalid_argument
    // for more than one thread where the library has no say in it.
    Library(Description description, unsigned threads);

    const std::string& name() const { return description_.name; }
    // A line: what it says of itself, its file, and that of its LAPACK where it is another.
    std::string about() const;

    // y += a·x
    void daxpy(std::int64_t n, double a, const double* x, double* y) const noexcept;
    void dscal(std::int64_t n, double a, double* x) const noexcept;
    void dswap(std::int64_t n, double* x, std::int64_t step_x, double* y,
               std::int64_t step_y) const noexcept;
    // The index, from 0, of the element of the largest size.
    std::int64_t idamax(std::int64_t n, const double* x) const noexcept;
    // A -= x·yᵀ, A being m by n
    void dger_minus(std::int64_t m, std::int64_t n, const double* x, const double* y,
                    std::int64_t step_y, double* a, std::int64_t lda) const noexcept;
    // B = L⁻¹·B, L being the unit lower triangle of an m by m matrix, B m by n
    void dtrsm_lower(std::int64_t m, std::int64_t n, const double* l, std::int64_t ldl, double* b,
                     std::int64_t ldb) const noexcept;
    // C -= A·B, C being m by n and A m by k
    void dgemm_minus(std::int64_t m, std::int64_t n, std::int64_t k, const double* a,
                     std::int64_t lda, const double* b, std::int64_t ldb, double* c,
                     std::int64_t ldc) const noexcept;
    // C = A·B, or C += A·B when `add`; these matrices lie by rows, C being m by n and A m by k
    void sgemm_by_rows(std::int64_t m, std::int64_t n, std::int64_t k, const float* a,
                       std::int64_t lda, const float* b, std::int64_t ldb, float* c,
                       std::int64_t ldc, bool add) const noexcept;
    // x = L⁻¹·x with the unit lower triangle, x = U⁻¹·x with the upper one
    void dtrsv_lower(std::int64_t n, const double* a, std::int64_t lda, double* x) const noexcept;
    void dtrsv_upper(std::int64_t n, const double* a, std::int64_t lda, double* x) const noexcept;
    // A = P·L·U in place; false when it is singular. `pivots` holds n integers of either width.
    bool dgetrf(std::int64_t n, double* a, std::int64_t lda, std::int64_t* pivots) const noexcept;
    // b = A⁻¹·b with what dgetrf left
    void dgetrs(std::int64_t n, const double* a, std::int64_t lda, const std::int64_t* pivots,
                double* b) const noexcept;

private:
    struct Routines;
    std::string version() const;
    Description description_;
    std::shared_ptr<const Routines> routines_;
};

}  // namespace stend::blas
