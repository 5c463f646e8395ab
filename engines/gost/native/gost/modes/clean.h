// Work with secrets of which nothing stays on the stack. Compilers spill what they like where they
// like, so that no engine can wipe all it leaves: what lies below the caller is overwritten when
// the work is done, as far down as the engine says that it reaches (tests/native/gost_residue.cpp
// tries whether that is true). A short message of the fastest engines reaches less far, or the
// wiping would take longer than the cipher. Vector registers are zeroed.
#pragma once

#include "gost/modes/context.h"

namespace stend::gost {

// What the modes put on the stack between the caller and the engine; what a message that ends
// inside a block takes besides (stream.cpp); and MGM's keystreams.
inline constexpr std::size_t modes_stack = 512, stack_of_rest = 576, stack_of_mgm = 1024;

// On Windows a function restores xmm6 to xmm15, so each frame may have 160 bytes more. Six are
// enough for clang 22 (gost_residue): with none, 32 bytes were left in 17 cases.
#if defined(_WIN32)
inline constexpr std::size_t stack_of_restored = 6 * 160;
#else
inline constexpr std::size_t stack_of_restored = 0;
#endif

inline std::size_t full_stack(const Key& key) {
    return key.engine->stack + modes_stack + stack_of_rest;
}

// For work other than that with many chains.
inline std::size_t stack_for(const Key& key, std::size_t bytes) {
    if (bytes > key.engine->few * key.block()) return full_stack(key);
    return key.engine->stack_of_few + modes_stack +
           (rest_of(bytes, key.block()) ? stack_of_rest : 0);
}

// Of encryption and decryption alone, with nothing between the caller and the engine.
inline std::size_t stack_for_blocks(const Key& key, std::size_t blocks) {
    const Engine& engine = *key.engine;
    return (blocks > engine.few ? engine.stack : engine.stack_of_few) + 256;
}

// In a frame of its own, for else the compiler may make the work part of the caller's; and below
// an empty place where wipe_stack has its return address and what it keeps of registers: those
// that a callee need not restore are zeroed on return, for compilers push one of them to align a
// frame (clang 16 doesn't zero them on RISC-V).
#if __has_cpp_attribute(gnu::zero_call_used_regs)
#define STEND_FORGET [[gnu::zero_call_used_regs("all-gpr")]]
#else
#define STEND_FORGET
#endif
template <typename Work>
[[gnu::noinline]] STEND_FORGET void apart(Work& work) {
    char place[192];
    asm volatile("" : : "r"(place) : "memory");
    work();
    wipe_vectors();
    asm volatile("" : : "r"(place) : "memory");
}

template <typename Work>
[[gnu::always_inline]] inline void cleanly(const Engine& engine, std::size_t stack, Work work) {
    apart(work);
    engine.wipe_stack(stack + stack_of_restored);
}

}  // namespace stend::gost
