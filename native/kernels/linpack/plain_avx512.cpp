// For AVX-512.
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

STEND_FOR("avx512f,avx512dq,avx512vl,avx512bw")
#include "kernels/linpack/plain_loops.h"

namespace stend::linpack {
namespace {
struct Avx512;
}

const Plain plain_avx512 = solve_plainly<Avx512>;

}  // namespace stend::linpack
STEND_FOR_ANY
#endif
