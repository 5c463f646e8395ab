// For AVX2 with fused multiply-add.
#if defined(__x86_64__)
#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "isa/target.h"
#include "kernels/linpack/variants.h"

STEND_FOR("avx2,fma")
#include "kernels/linpack/plain_loops.h"

namespace stend::linpack {
namespace {
struct Avx2;
}

const Plain plain_avx2 = solve_plainly<Avx2>;

}  // namespace stend::linpack
STEND_FOR_ANY
#endif
