// Numbers for slices in SIMD lanes: one vector holds the same pixel of as many slices as it has
// lanes. Written with the compilers' vectors, so that arithmetic is one source for every width; a
// Lanes is a struct that says how wide (lanes/avx512.h, avx2.h, portable.h):
//
//     static constexpr unsigned count;                       // lanes
//     using Float = a vector of `count` floats;
//     static void transpose(Float (&rows)[count]);           // a square of floats
//     static void stream(Float* to, Float value);            // past the caches; `to` is aligned
//     static void fence();                                   // streamed values seen by all threads
//
// and, where numbers may be kept in half precision, a HalfPair of two vectors' halves, `first` and
// `second`:
//
//     static void stream_halves(HalfPair* to, Float first, Float second);
//     static Float widened(halves);
//
// To be included after the STEND_FOR of a variant's file, which stays in force until all is used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "isa/target.h"

namespace stend::tomo {

// Vectors of that many floats or 32-bit integers.
template <unsigned count>
struct Vectors;
template <>
struct Vectors<4> {
    typedef float Float __attribute__((vector_size(16)));
    typedef int Int __attribute__((vector_size(16)));
};
template <>
struct Vectors<8> {
    typedef float Float __attribute__((vector_size(32)));
    typedef int Int __attribute__((vector_size(32)));
};
template <>
struct Vectors<16> {
    typedef float Float __attribute__((vector_size(64)));
    typedef int Int __attribute__((vector_size(64)));
};

template <typename L>
struct Complex {
    typename L::Float re, im;
};

template <typename L>
STEND_INLINE Complex<L> operator+(Complex<L> a, Complex<L> b) {
    return {a.re + b.re, a.im + b.im};
}

template <typename L>
STEND_INLINE Complex<L> operator-(Complex<L> a, Complex<L> b) {
    return {a.re - b.re, a.im - b.im};
}

// Times the number re + i im.
template <typename L>
STEND_INLINE Complex<L> times(Complex<L> a, float re, float im) {
    return {a.re * re - a.im * im, a.re * im + a.im * re};
}

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

// From each lane's own row to vectors: pixel i of all rows to `to + i * stride` (floats).
template <typename L>
inline void into_lanes(const float* const* rows, std::size_t pixels, float* to,
                       std::size_t stride) {
    std::size_t i = 0;
    for (; i + L::count <= pixels; i += L::count) {
        typename L::Float square[L::count];
        for (unsigned lane = 0; lane < L::count; ++lane) square[lane] = load<L>(rows[lane] + i);
        L::transpose(square);
        for (unsigned k = 0; k < L::count; ++k) store<L>(to + (i + k) * stride, square[k]);
    }
    for (; i < pixels; ++i)
        for (unsigned lane = 0; lane < L::count; ++lane) to[i * stride + lane] = rows[lane][i];
}

// Back: pixel i, times scale(i), from `from + i * stride` to each of the first `count` lanes' row.
template <typename L, typename Scale>
inline void out_of_lanes(const float* from, std::size_t stride, std::size_t pixels, Scale scale,
                         float* const* rows, unsigned count) {
    std::size_t i = 0;
    for (; i + L::count <= pixels; i += L::count) {
        typename L::Float square[L::count];
        for (unsigned k = 0; k < L::count; ++k)
            square[k] = load<L>(from + (i + k) * stride) * scale(i + k);
        L::transpose(square);
        for (unsigned lane = 0; lane < count; ++lane) store<L>(rows[lane] + i, square[lane]);
    }
    for (; i < pixels; ++i)
        for (unsigned lane = 0; lane < count; ++lane)
            rows[lane][i] = from[i * stride + lane] * scale(i);
}

// Copies a row past the caches, all lines of the cache that it fills; it may begin anywhere.
template <typename L>
STEND_INLINE void stream_row(float* to, const float* from, std::size_t count) {
    constexpr std::size_t line = 64 / sizeof(float);
    const auto misaligned = reinterpret_cast<std::uintptr_t>(to) / sizeof(float) % line;
    const std::size_t head = misaligned == 0 ? 0 : line - misaligned;
    std::size_t i = 0;
    for (; i < head && i < count; ++i) to[i] = from[i];
    for (; i + line <= count; i += line)
        for (std::size_t k = i; k < i + line; k += L::count)
            L::stream(reinterpret_cast<typename L::Float*>(to + k), load<L>(from + k));
    for (; i < count; ++i) to[i] = from[i];
}

}  // namespace stend::tomo
