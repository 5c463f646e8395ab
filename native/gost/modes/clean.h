// Work with secrets of which nothing stays on the stack. Compilers spill what they like where they
// like, so that no engine can wipe all it leaves: what lies below the caller is overwritten when
// the work is done, as far down as the engine says that it reaches (native/tests/gost_residue.cpp
// tries whether that is true). A short message of the fastest engines reaches less far, or the
// wiping would take longer than the cipher. Registers are not wiped.
#pragma once

#include <algorithm>

#include "gost/modes/context.h"

namespace stend::gost {

inline constexpr std::size_t few_blocks = 16;
// What the modes put on the stack between the caller and the engine.
inline constexpr std::size_t modes_stack = 640;

inline std::size_t full_stack(const Key& key) {
    return key.engine->stack + modes_stack;
}

// No variant's key schedule reaches further than this, or than the encryption of a block.
inline constexpr std::size_t stack_of_schedule = 3 * 1024;
inline std::size_t stack_of_key(const Engine& engine) {
    return std::max(stack_of_schedule, engine.stack_of_few + modes_stack);
}

// For work other than that with pieces of the generic templates or with many chains.
inline std::size_t stack_for(const Key& key, std::size_t bytes) {
    const bool few = bytes <= few_blocks * key.block();
    return (few ? key.engine->stack_of_few : key.engine->stack) + modes_stack;
}

// Of encryption and decryption alone, which in the engines that say what a few blocks need have no
// buffers of a mode: 930 bytes were seen.
inline std::size_t stack_for_blocks(const Key& key, std::size_t blocks) {
    const Engine& engine = *key.engine;
    if (blocks > few_blocks) return engine.stack + modes_stack;
    return engine.stack_of_few < engine.stack ? 1536 : engine.stack_of_few + modes_stack;
}

// In a frame of its own, for else the compiler may make the work part of the caller's; and below
// an empty place where wipe_stack has its return address and what it keeps of registers.
template <typename Work>
[[gnu::noinline]] void apart(Work& work) {
    char place[192];
    asm volatile("" : : "r"(place) : "memory");
    work();
    asm volatile("" : : "r"(place) : "memory");
}

template <typename Work>
[[gnu::always_inline]] inline void cleanly(const Engine& engine, std::size_t stack, Work work) {
    apart(work);
    engine.wipe_stack(stack);
}

}  // namespace stend::gost
