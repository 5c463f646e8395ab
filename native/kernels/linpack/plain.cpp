// For every processor of the architecture.
#include "kernels/linpack/plain_loops.h"
#include "kernels/linpack/variants.h"

namespace stend::linpack {
namespace {
struct Any;
}

const Plain plain_any = solve_plainly<Any>;

}  // namespace stend::linpack
