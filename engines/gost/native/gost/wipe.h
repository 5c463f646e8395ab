// Overwrites what must not outlive its use: key material on the stack and in contexts.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include "gost/x86/intrinsics.h"
#include "isa/isa.h"
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

#if defined(__x86_64__)
enum class Known : signed char { not_yet, no, yes };
inline constinit std::atomic<Known> high_vectors = Known::not_yet;  // no work when a program starts

[[gnu::noinline]] inline bool ask_for_high_vectors() {
    const bool found = isa::present().contains(isa::avx512);
    high_vectors.store(found ? Known::yes : Known::no, std::memory_order_relaxed);
    return found;
}

// Whether there are registers from zmm16 on.
inline bool has_high_vectors() {
    const Known known = high_vectors.load(std::memory_order_relaxed);
    return known == Known::not_yet ? ask_for_high_vectors() : known == Known::yes;
}
#endif

// Zeroes the vector registers that a function need not restore; compilers do so with the upper
// parts of those up to zmm15. What they hold (memcpy's too, which uses any) gets into memory: the
// dynamic linker saves them all on the stack when a function is called for the first time.
[[gnu::always_inline]] inline void wipe_vectors() {
#if defined(__x86_64__)
    const bool high = has_high_vectors();
    asm volatile(
        ".irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n\t"
        "pxor %%xmm\\i, %%xmm\\i\n\t"
        ".endr" ::
            : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
              "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
    if (high)  // of the callers, compiled for any processor, none has a value in these
        asm volatile(
            ".irp i, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n\t"
            "vpxorq %zmm\\i, %zmm\\i, %zmm\\i\n\t"
            ".endr");
#elif defined(__aarch64__)
    asm volatile(
        ".irp i, 0,1,2,3,4,5,6,7,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n\t"
        "movi v\\i\\().16b, #0\n\t"
        ".endr" ::
            : "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v16", "v17", "v18", "v19", "v20",
              "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31");
#endif
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
