// Floats in SIMD lanes, written with the compilers' vectors. A Lanes says how wide, and of how many
// pixels and vectors of output channels a micro-kernel keeps sums in registers (products.h).
//
// To be included after the STEND_FOR of a variant's file, which stays in force until all is used. A
// variant derives a type of its own from one of these, in an unnamed namespace: else the linker may
// give one variant the functions of another, with instructions that the processor lacks.
#pragma once

#include <cstddef>
#include <cstring>

#include "isa/target.h"

namespace stend::unet::float32 {

// SSE2 on any x86-64, NEON on any AArch64, plain floats elsewhere.
struct Portable {
    typedef float Float __attribute__((vector_size(16)));
    static constexpr std::size_t count = 4, vectors = 2, pixels = 4;
};

// For STEND_FOR("avx2,fma").
struct Avx2 {
    typedef float Float __attribute__((vector_size(32)));
    static constexpr std::size_t count = 8, vectors = 2, pixels = 6;
};

// For STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,fma").
struct Avx512 {
    typedef float Float __attribute__((vector_size(64)));
    static constexpr std::size_t count = 16, vectors = 1, pixels = 24;
};

template <typename L>
STEND_INLINE typename L::Float load(const float* from) {
    typename L::Float value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

template <typename L>
STEND_INLINE void store(float* to, typename L::Float value) {
    std::memcpy(to, &value, sizeof value);
}

// What is no number stays so.
template <typename L>
STEND_INLINE typename L::Float relu(typename L::Float value) {
    const typename L::Float zero{};
    return value < zero ? zero : value;
}

template <typename L>
STEND_INLINE typename L::Float larger(typename L::Float a, typename L::Float b) {
    return a < b ? b : a;
}

}  // namespace stend::unet::float32
