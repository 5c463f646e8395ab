// What the lanes of most variants have in common: registers of some size as vectors of the
// compiler's, and the steps that need no instruction by name. Included by chains.h, so compiled for
// a variant's instructions; each variant derives types of its own from these, so that nothing
// compiled for one is shared with another.
#pragma once

#include <type_traits>

#include "kernels/peak/peak.h"

namespace stend::peak {

// Volatile: nothing moves past it, and the compiler knows no more of x than where it is.
template <typename Value>
[[gnu::always_inline]] inline void hide_register(Value& x) {
    if constexpr (std::is_integral_v<Value>) {
        asm volatile("" : "+r"(x));
    } else {
#if defined(__x86_64__)
        asm volatile("" : "+v"(x));
#elif defined(__aarch64__)
        asm volatile("" : "+w"(x));
#elif defined(__riscv)
        asm volatile("" : "+f"(x));
#endif
    }
}

// `count` chains of vectors of so many bytes.
template <typename Element, std::size_t bytes, std::size_t count>
struct Registers {
    using T = Element;
    using Vector [[gnu::vector_size(bytes)]] = T;
    using Anywhere [[gnu::vector_size(bytes), gnu::aligned(sizeof(T)), gnu::may_alias]] = T;
    static constexpr std::size_t width = bytes / sizeof(T), chains = count;

    [[gnu::always_inline]] static Vector load(const T* from) {
        return *reinterpret_cast<const Anywhere*>(from);
    }
    [[gnu::always_inline]] static void store(T* to, Vector x) {
        *reinterpret_cast<Anywhere*>(to) = x;
    }
    [[gnu::always_inline]] static Vector all(T x) { return x - Vector{}; }
    [[gnu::always_inline]] static void hide(Vector& x) { hide_register(x); }
};

// Hidden after each step, or the compiler would add many terms at once.
template <typename Base>
struct Adding : Base {
    using Vector = typename Base::Vector;
    static constexpr Step first = Step::add, second = first;

    [[gnu::always_inline]] static Vector step(Vector x, Vector, Vector term) {
        x += term;
        Base::hide(x);
        return x;
    }
};

// Without a fused instruction: half of the chains multiply and half add (README.md).
template <typename Base>
struct MultiplyingOrAdding : Base {
    using Vector = typename Base::Vector;
    static constexpr Step first = Step::multiply, second = Step::add;

    [[gnu::always_inline]] static Vector step(Vector x, Vector factor, Vector) {
        x *= factor;
        Base::hide(x);
        return x;
    }
    [[gnu::always_inline]] static Vector other(Vector x, Vector, Vector term) {
        return Adding<Base>::step(x, x, term);
    }
};

}  // namespace stend::peak
