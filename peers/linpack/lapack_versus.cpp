// lapack_versus ROUNDS N NAME BLAS LAPACK PREFIX SUFFIX: dgetrf and dgetrs of one library through
// stend beside the same called straight from this program, by turns on the same CPU.
#include <dlfcn.h>

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/linpack/linpack.h"
#include "team/seat.h"
#include "turns.h"

using namespace stend;
using namespace stend::linpack;

namespace {

using Factor = void (*)(int*, int*, double*, int*, int*, int*);
using Solve = void (*)(const char*, int*, int*, double*, int*, int*, double*, int*, int*,
                       std::size_t);

// 32-bit integers, as a program compiled against the library would have.
struct Direct {
    int n;
    Factor dgetrf;
    Solve dgetrs;
    System system{std::size_t(n)};
    std::vector<double> a = std::vector<double>(std::size_t(n) * std::size_t(n));
    std::vector<double> b = std::vector<double>(std::size_t(n));
    std::vector<int> pivots = std::vector<int>(std::size_t(n));

    double solve() {
        system.write({std::size_t(n), std::size_t(n)}, a.data(), b.data());
        int one = 1, info = 0;
        const double time = seconds([&] {
            dgetrf(&n, &n, a.data(), &n, pivots.data(), &info);
            dgetrs("N", &n, &one, a.data(), &n, pivots.data(), b.data(), &n, &info, 1);
        });
        if (!(system.residual(b.data()) <= most_residual))
            std::fprintf(stderr, "the direct call is wrong\n"), std::exit(1);
        return time;
    }
};

}  // namespace

int main(int count, char** arguments) {
    if (count < 8)
        return std::fprintf(stderr, "lapack_versus ROUNDS N NAME BLAS LAPACK PREFIX SUFFIX\n"), 2;
    const int rounds = std::atoi(arguments[1]), n = std::atoi(arguments[2]);
    blas::Description library;
    library.name = arguments[3];
    library.blas = arguments[4];
    library.lapack = arguments[5];
    if (library.blas != library.lapack) library.before = {library.blas};
    library.prefix = arguments[6];
    library.suffix = arguments[7];

    const Shape shape{std::size_t(n), std::size_t(n)};
    const auto ours = kernel(shape, lapack(library, 1), Side::random);  // one CPU: one thread
    ours->prepare();
    void* const file = dlopen(library.lapack.c_str(), RTLD_NOW | RTLD_NOLOAD);
    const auto symbol = [&](const char* name) {
        return dlsym(file, (library.prefix + name + library.suffix).c_str());
    };
    Direct direct{n, reinterpret_cast<Factor>(symbol("dgetrf")),
                  reinterpret_cast<Solve>(symbol("dgetrs"))};
    interleave(
        shape, library.name, rounds, [&] { return direct.solve(); }, [&] { return solved(*ours); });
}
