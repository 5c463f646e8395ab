// The library's own LU.
#include "kernels/linpack/with_library.h"

namespace stend::linpack {
namespace {

class Lapack final : public WithLibrary {
public:
    using WithLibrary::WithLibrary;

    bool solve(Shape shape, double* a, double* b) noexcept override {
        const auto n = static_cast<std::int64_t>(shape.n);
        const auto lda = static_cast<std::int64_t>(shape.lda);
        if (!library().dgetrf(n, a, lda, pivots())) return false;
        library().dgetrs(n, a, lda, pivots(), b);
        return true;
    }
};

}  // namespace

std::unique_ptr<Solver> lapack(blas::Description library, unsigned threads) {
    return std::make_unique<Lapack>(std::move(library), threads);
}

}  // namespace stend::linpack
