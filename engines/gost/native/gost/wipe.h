// Overwrites what must not outlive its use: key material on the stack and in contexts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include "gost/x86/intrinsics.h"
#include "isa/target.h"
#endif

namespace stend::gost {

// Stores zeros row by row, `rows` times 64 bytes.
[[gnu::always_inline]] inline void wipe_rows(char* at, std::size_t rows) {
    for (; rows > 0; --rows, at += 64) {
        std::memset(at, 0, 64);
        asm volatile("" : : "r"(at) : "memory");  // keeps the loop from becoming a memset
    }
}

// Of few bytes the stores are written out: compilers make `rep stos` of a size they know, which
// takes some 50 cycles to begin, and a call of memset as many.
[[gnu::always_inline]] inline void wipe(void* bytes, std::size_t size) {
    auto* const at = static_cast<char*>(bytes);
    if (__builtin_constant_p(size) && size <= 1024) {
        wipe_rows(at, size / 64);
        std::memset(at + size / 64 * 64, 0, size % 64);
    } else {
        asm("" : "+r"(size));
        std::memset(at, 0, size);
    }
    // The compiler may not drop the stores: it has to believe that someone reads them.
    asm volatile("" : : "r"(bytes) : "memory");
}

constexpr std::size_t whole_rows(std::size_t size) {
    return (size + 63) / 64 * 64;
}

// Overwrites so many bytes of the stack below the caller: what the functions it called left there.
[[gnu::noinline]] inline void wipe_stack(std::size_t size) {
    size = whole_rows(size);
    auto* const low = static_cast<char*>(__builtin_alloca(size + 64));
    if (size <= 4096)
        wipe_rows(low, size / 64 + 1);
    else
        wipe(low, size + 64);
}

#if defined(__x86_64__)
STEND_FOR("avx512f")
// The same with registers of 64 bytes. A store that lies in two lines takes twice as long, and a
// stack may begin anywhere: only the first store and the last one do.
[[gnu::noinline]] inline void wipe_stack_by_64(std::size_t size) {
    size = whole_rows(size);
    auto* const low = static_cast<char*>(__builtin_alloca(size + 64));
    const __m512i zeros = _mm512_setzero_si512();
    _mm512_storeu_si512(low, zeros);
    for (char* at = low + 64 - reinterpret_cast<std::uintptr_t>(low) % 64; at < low + size;
         at += 64) {
        _mm512_store_si512(at, zeros);
        asm volatile("" : : "r"(at) : "memory");
    }
    _mm512_storeu_si512(low + size, zeros);
    asm volatile("" : : "r"(low) : "memory");
}
STEND_FOR_ANY
#endif

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
