// A library that is loaded by name multiplies as its wrappers say. Leaves with 77 where the system
// has none.
#include <cstdio>
#include <optional>
#include <vector>

#include "blas/library.h"
#include "check.h"

using namespace stend;

namespace {

std::optional<blas::Library> found() {
    for (const char* blas : {"libopenblas.so.0", "libblas.so.3"})
        for (const char* lapack : {blas, "liblapack.so.3"}) {
            blas::Description description;
            description.name = blas;
            description.blas = blas;
            description.lapack = lapack;
            description.suffix = "_";
            description.threads_variable = "OMP_NUM_THREADS";
            try {
                return blas::Library(description, 1);
            } catch (const Unavailable&) {
                continue;
            }
        }
    return {};
}

// Whole numbers, so that sums are exact in any order; -1 where nothing may be written.
void single_precision_products_are_taken_by_rows(const blas::Library& library) {
    constexpr std::size_t m = 5, n = 7, k = 3, lda = 4, ldb = 9, ldc = 8;
    std::vector<float> a(m * lda), b(k * ldb);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 11);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 13) - 6;
    for (const bool add : {false, true}) {
        std::vector<float> c(m * ldc, -1.0F);
        library.sgemm_by_rows(m, n, k, a.data(), lda, b.data(), ldb, c.data(), ldc, add);
        for (std::size_t row = 0; row < m; ++row)
            for (std::size_t column = 0; column < ldc; ++column) {
                float wanted = column < n && !add ? 0.0F : -1.0F;
                for (std::size_t i = 0; column < n && i < k; ++i)
                    wanted += a[row * lda + i] * b[i * ldb + column];
                CHECK(c[row * ldc + column] == wanted);
            }
    }
}

}  // namespace

int main() {
    const auto library = found();
    if (!library) {
        std::puts(
            "skipped: no BLAS with LAPACK is installed: sudo apt-get install libopenblas0-pthread");
        return 77;
    }
    single_precision_products_are_taken_by_rows(*library);
    return 0;
}
