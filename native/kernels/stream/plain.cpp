// Ordinary stores, vectorised by the compiler for the architecture's baseline. Wider
// vectors gain nothing here: memory is what is waited for (README.md has the figures).
#include "kernels/stream/formula.h"
#include "kernels/stream/variants.h"

namespace stend::stream {
namespace {

// Compiled so that copy stays a loop (CMakeLists.txt): compilers would make a call of memcpy from
// it, which has stores of its own choice, non-temporal ones above a size. Copy shall be the same
// experiment as scale.
template <Operation operation>
void loop(double* __restrict out, const double* __restrict x, const double* __restrict y,
          double scalar, std::size_t count) noexcept {
    for (std::size_t i = 0; i < count; ++i) out[i] = formula<operation>(x[i], y[i], scalar);
}

}  // namespace

const Loops plain{loop<Operation::copy>, loop<Operation::scale>, loop<Operation::add>,
                  loop<Operation::triad>};

}  // namespace stend::stream
