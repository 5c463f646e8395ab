// NEON: vectors of 16 bytes. Its fused instruction adds to the register that it writes, so a chain
// runs through the addend; through a factor it would need a copy each step.
#if defined(__aarch64__)
#include <arm_neon.h>

#include "peak/chains.h"
#include "peak/variants.h"

namespace stend::peak {
namespace {

struct Doubles {
    using T = double;
    using Vector = float64x2_t;
    static constexpr std::size_t width = 2, chains = 24;
    static constexpr Step first = Step::accumulate, second = first;

    static Vector load(const T* from) { return vld1q_f64(from); }
    static void store(T* to, Vector x) { vst1q_f64(to, x); }
    static Vector all(T x) { return vdupq_n_f64(x); }
    static void hide(Vector& x) { asm volatile("" : "+w"(x)); }
    static Vector step(Vector x, Vector factor, Vector term) { return vfmaq_f64(x, factor, term); }
};

struct Floats {
    using T = float;
    using Vector = float32x4_t;
    static constexpr std::size_t width = 4, chains = 24;
    static constexpr Step first = Step::accumulate, second = first;

    static Vector load(const T* from) { return vld1q_f32(from); }
    static void store(T* to, Vector x) { vst1q_f32(to, x); }
    static Vector all(T x) { return vdupq_n_f32(x); }
    static void hide(Vector& x) { asm volatile("" : "+w"(x)); }
    static Vector step(Vector x, Vector factor, Vector term) { return vfmaq_f32(x, factor, term); }
};

// Hidden after each step, or the compiler would add many terms at once.
struct Integers {
    using T = std::uint32_t;
    using Vector = uint32x4_t;
    static constexpr std::size_t width = 4, chains = 24;
    static constexpr Step first = Step::add, second = first;

    static Vector load(const T* from) { return vld1q_u32(from); }
    static void store(T* to, Vector x) { vst1q_u32(to, x); }
    static Vector all(T x) { return vdupq_n_u32(x); }
    static void hide(Vector& x) { asm volatile("" : "+w"(x)); }
    static Vector step(Vector x, Vector, Vector term) {
        x = vaddq_u32(x, term);
        hide(x);
        return x;
    }
};

}  // namespace

const Loops neon = loops<Doubles, Floats, Integers>;

}  // namespace stend::peak
#endif
