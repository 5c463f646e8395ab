// One lane a chain, with what every processor of the architecture has: fused steps where that is
// one instruction; else half of the chains multiply and half add.
#include "peak/chains.h"
#include "peak/variants.h"

namespace stend::peak {
namespace {

// Volatile after every step: chains must not be made into vectors, nor additions into one.
template <typename Value>
[[gnu::always_inline]] inline void hide_scalar(Value& x) {
    if constexpr (std::is_integral_v<Value>) {
        asm volatile("" : "+r"(x));
    } else {
#if defined(__x86_64__)
        asm volatile("" : "+x"(x));
#elif defined(__aarch64__)
        asm volatile("" : "+w"(x));
#elif defined(__riscv)
        asm volatile("" : "+f"(x));
#endif
    }
}

template <typename Value, bool fused, std::size_t count>
struct Floating {
    using T = Value;
    using Vector = Value;
    static constexpr std::size_t width = 1, chains = count;
    static constexpr Step first = fused ? Step::fused : Step::multiply;
    static constexpr Step second = fused ? Step::fused : Step::add;

    static Value load(const Value* from) { return *from; }
    static void store(Value* to, Value x) { *to = x; }
    static Value all(Value x) { return x; }
    static void hide(Value& x) { hide_scalar(x); }
    [[gnu::always_inline]] static Value step(Value x, Value factor, Value term) {
        if constexpr (!fused)
            x *= factor;
        else if constexpr (sizeof(Value) == 8)
            x = __builtin_fma(x, factor, term);
        else
            x = __builtin_fmaf(x, factor, term);
        hide_scalar(x);
        return x;
    }
    [[gnu::always_inline]] static Value other(Value x, Value, Value term) {
        x += term;
        hide_scalar(x);
        return x;
    }
};

template <std::size_t count>
struct Whole {
    using T = std::uint32_t;
    using Vector = T;
    static constexpr std::size_t width = 1, chains = count;
    static constexpr Step first = Step::add, second = first;

    static T load(const T* from) { return *from; }
    static void store(T* to, T x) { *to = x; }
    static T all(T x) { return x; }
    static void hide(T& x) { hide_scalar(x); }
    [[gnu::always_inline]] static T step(T x, T, T term) {
        x += term;
        hide_scalar(x);
        return x;
    }
};

// x86-64 has 16 registers of either kind; gcc 12 moves 14 chains of float32 about. Elsewhere there
// are 32, and Arm's largest cores need 16 chains for four units of latency 4.
#if defined(__x86_64__)
constexpr std::size_t doubles = 14, floats = 12, whole = 10;
#else
constexpr std::size_t doubles = 24, floats = 24, whole = 16;
#endif

#if defined(__FP_FAST_FMA) && defined(__FP_FAST_FMAF)
constexpr bool fused = true;
#else
constexpr bool fused = false;
#endif

}  // namespace

const Loops scalar =
    loops<Floating<double, fused, doubles>, Floating<float, fused, floats>, Whole<whole>>;

}  // namespace stend::peak
