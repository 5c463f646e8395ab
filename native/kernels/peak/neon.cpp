// NEON: vectors of 16 bytes. Its fused instruction adds to the register that it writes, so a chain
// runs through the addend; through a factor it would need a copy each step.
#if defined(__aarch64__)
#include <arm_neon.h>

#include "kernels/peak/chains.h"
#include "kernels/peak/variants.h"

namespace stend::peak {
namespace {

struct Doubles : Registers<double, 16, 24> {
    static constexpr Step first = Step::accumulate, second = first;
    static Vector step(Vector x, Vector factor, Vector term) { return vfmaq_f64(x, factor, term); }
};

struct Floats : Registers<float, 16, 24> {
    static constexpr Step first = Step::accumulate, second = first;
    static Vector step(Vector x, Vector factor, Vector term) { return vfmaq_f32(x, factor, term); }
};

struct Integers : Adding<Registers<std::uint32_t, 16, 24>> {};

}  // namespace

const Loops neon = loops<Doubles, Floats, Integers>;

}  // namespace stend::peak
#endif
