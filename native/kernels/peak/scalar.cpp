// One lane a chain, with what every processor of the architecture has: fused steps where that is
// one instruction; else half of the chains multiply and half add. Numbers are hidden after every
// step also where they are fused: chains must not be made into vectors.
#include "kernels/peak/chains.h"
#include "kernels/peak/variants.h"

namespace stend::peak {
namespace {

template <typename Element, std::size_t count>
struct Numbers {
    using T = Element;
    using Vector = T;
    static constexpr std::size_t width = 1, chains = count;

    static T load(const T* from) { return *from; }
    static void store(T* to, T x) { *to = x; }
    static T all(T x) { return x; }
    static void hide(T& x) { hide_register(x); }
};

template <typename Base>
struct Fusing : Base {
    using T = typename Base::T;
    static constexpr Step first = Step::fused, second = first;

    [[gnu::always_inline]] static T step(T x, T factor, T term) {
        if constexpr (sizeof(T) == 8)
            x = __builtin_fma(x, factor, term);
        else
            x = __builtin_fmaf(x, factor, term);
        Base::hide(x);
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
template <typename Base>
using Floating = Fusing<Base>;
#else
template <typename Base>
using Floating = MultiplyingOrAdding<Base>;
#endif

struct Doubles : Floating<Numbers<double, doubles>> {};
struct Floats : Floating<Numbers<float, floats>> {};
struct Integers : Adding<Numbers<std::uint32_t, whole>> {};

}  // namespace

const Loops scalar = loops<Doubles, Floats, Integers>;

}  // namespace stend::peak
