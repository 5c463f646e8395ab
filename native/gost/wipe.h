// Overwrites what must not outlive its use: key material on the stack and in contexts.
#pragma once

#include <cstddef>
#include <cstring>

namespace stend::gost {

inline void wipe(void* bytes, std::size_t size) {
    // Compilers make `rep stos` of a size they know, which takes some 50 cycles to begin.
    if (!__builtin_constant_p(size) || size > 64) asm("" : "+r"(size));
    std::memset(bytes, 0, size);
    // The compiler may not drop the stores: it has to believe that someone reads them.
    asm volatile("" : : "r"(bytes) : "memory");
}

// Overwrites so many bytes of the stack below the caller: what the functions it called left there.
[[gnu::noinline]] inline void wipe_stack(std::size_t size) {
    wipe(__builtin_alloca(size), size);
}

template <typename T>
void wipe(T& object) {
    wipe(&object, sizeof object);
}

// Wipes an object when the scope ends.
template <typename T>
class Wiped {
public:
    T value;
    Wiped() = default;
    Wiped(const Wiped&) = delete;
    Wiped& operator=(const Wiped&) = delete;
    ~Wiped() { wipe(value); }
};

}  // namespace stend::gost
