// Channels of one pixel in SIMD lanes, as the float32 variants compute with them. Written with the
// compilers' vectors, so that arithmetic is one source for every width; a Lanes is a struct that
// says how wide:
//
//     static constexpr unsigned count;               // lanes
//     using Float = a vector of `count` floats;
//
// To be included after the STEND_FOR of a variant's file, which stays in force until all is used.
#pragma once

#include <cstddef>
#include <cstring>

#include "isa/target.h"

namespace stend::unet {

// Four lanes: SSE2 on any x86-64, NEON on any AArch64, plain floats elsewhere.
struct Portable {
    static constexpr unsigned count = 4;
    typedef float Float __attribute__((vector_size(16)));
};

// To be used after STEND_FOR("avx2,fma").
struct Avx2 {
    static constexpr unsigned count = 8;
    typedef float Float __attribute__((vector_size(32)));
};

// To be used after STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,fma").
struct Avx512 {
    static constexpr unsigned count = 16;
    typedef float Float __attribute__((vector_size(64)));
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

template <typename L>
STEND_INLINE typename L::Float broadcast(float x) {
    return x - typename L::Float{};
}

// The larger of each lane.
template <typename L>
STEND_INLINE typename L::Float larger(typename L::Float a, typename L::Float b) {
    return a > b ? a : b;
}

}  // namespace stend::unet
