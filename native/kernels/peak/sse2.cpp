// SSE2: vectors of 16 bytes. It has no fused instruction.
#if defined(__x86_64__)
#include "isa/target.h"
#include "kernels/peak/variants.h"

STEND_FOR("sse2")
#include "kernels/peak/chains.h"

namespace stend::peak {
namespace {

struct Doubles : MultiplyingOrAdding<Registers<double, 16, 14>> {};
struct Floats : MultiplyingOrAdding<Registers<float, 16, 14>> {};
struct Integers : Adding<Registers<std::uint32_t, 16, 14>> {};

}  // namespace

const Loops sse2 = loops<Doubles, Floats, Integers>;

}  // namespace stend::peak
STEND_FOR_ANY
#endif
