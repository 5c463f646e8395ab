// The instructions with an immediate operand, for vectors of 512, 256 and 128 bits:
// affine<i>(x, matrices), affine_inverse<i>(x, matrices), ternary<i>(a, b, c). Plain intrinsics;
// only for clang's MemorySanitizer, which demands that such an instruction's operands be all
// defined, they take the poison off their operands and put it on their results, so that a poisoned
// key is followed through them. Likewise what it would follow wrongly: moved(places, x),
// moved(a, places, b), four_times(byte). To be included outside STEND_FOR.
#pragma once
#if defined(__x86_64__)
#include <cstddef>
#include <cstdint>

#include "gost/x86/intrinsics.h"
#include "isa/target.h"

#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define STEND_FOLLOWS_POISON 1
#endif
#endif

namespace stend::gost {

// What is poisoned of x, which is no longer. put() adds it to a result: poison in any byte of a
// word of x makes the same word of the result poisoned.
#if defined(STEND_FOLLOWS_POISON)
class Poison {
public:
    template <typename Vector>
    [[gnu::noinline]] Poison(Vector& x, std::size_t word) : word_(word) {
        const auto* at = reinterpret_cast<const char*>(&x);
        for (std::size_t i = 0; i < sizeof x; i += word)
            on_[i / word] = __msan_test_shadow(at + i, word) >= 0;
        __msan_unpoison(&x, sizeof x);
    }
    template <typename Vector>
    [[gnu::noinline]] void put(Vector& result) const {
        auto* at = reinterpret_cast<char*>(&result);
        for (std::size_t i = 0; i < sizeof result; i += word_)
            if (on_[i / word_]) __msan_poison(at + i, word_);
    }

    // For x of one word: poison in it makes all of the result poisoned.
    template <typename Result>
    [[gnu::noinline]] void put_everywhere(Result& result) const {
        if (on_[0]) __msan_poison(&result, sizeof result);
    }

private:
    std::size_t word_;
    bool on_[64];
};
#else
struct Poison {
    template <typename Vector>
    [[gnu::always_inline]] Poison(Vector&, std::size_t) {}
    template <typename Vector>
    [[gnu::always_inline]] void put(Vector&) const {}
    template <typename Result>
    [[gnu::always_inline]] void put_everywhere(Result&) const {}
};
#endif

// A byte four times. Of a product MemorySanitizer follows the lowest byte alone.
inline std::uint32_t four_times(std::uint8_t byte) {
    const Poison of_byte(byte, 1);
    std::uint32_t four = byte * 0x01010101U;
    of_byte.put_everywhere(four);
    return four;
}

STEND_FOR("avx512f,avx512bw,gfni")
template <int constant>
[[gnu::always_inline]] inline __m512i affine(__m512i x, __m512i matrices) {
    const Poison of_x(x, 1), of_matrices(matrices, 8);
    __m512i y = _mm512_gf2p8affine_epi64_epi8(x, matrices, constant);
    of_x.put(y), of_matrices.put(y);
    return y;
}

template <int constant>
[[gnu::always_inline]] inline __m512i affine_inverse(__m512i x, __m512i matrices) {
    const Poison of_x(x, 1), of_matrices(matrices, 8);
    __m512i y = _mm512_gf2p8affineinv_epi64_epi8(x, matrices, constant);
    of_x.put(y), of_matrices.put(y);
    return y;
}
STEND_FOR_ANY

// The bytes of x that `places` names. MemorySanitizer takes each for the byte that was in its
// place: here poison anywhere in x is poison everywhere.
STEND_FOR("avx512f,avx512bw,avx512vbmi")
[[gnu::always_inline]] inline __m512i moved(__m512i places, __m512i x) {
    const Poison of_x(x, sizeof x);
    __m512i y = _mm512_maskz_permutexvar_epi8(~__mmask64{0}, places, x);
    of_x.put_everywhere(y);
    return y;
}
STEND_FOR_ANY

// The words of a and b that `places` names.
STEND_FOR("avx512f")
[[gnu::always_inline]] inline __m512i moved(__m512i a, __m512i places, __m512i b) {
    const Poison of_a(a, sizeof a), of_b(b, sizeof b);
    __m512i y = _mm512_permutex2var_epi64(a, places, b);
    of_a.put_everywhere(y), of_b.put_everywhere(y);
    return y;
}
STEND_FOR_ANY

STEND_FOR("avx,gfni")
template <int constant>
[[gnu::always_inline]] inline __m256i affine(__m256i x, __m256i matrices) {
    const Poison of_x(x, 1), of_matrices(matrices, 8);
    __m256i y = _mm256_gf2p8affine_epi64_epi8(x, matrices, constant);
    of_x.put(y), of_matrices.put(y);
    return y;
}

template <int constant>
[[gnu::always_inline]] inline __m256i affine_inverse(__m256i x, __m256i matrices) {
    const Poison of_x(x, 1), of_matrices(matrices, 8);
    __m256i y = _mm256_gf2p8affineinv_epi64_epi8(x, matrices, constant);
    of_x.put(y), of_matrices.put(y);
    return y;
}
STEND_FOR_ANY

STEND_FOR("gfni")
template <int constant>
[[gnu::always_inline]] inline __m128i affine(__m128i x, __m128i matrices) {
    const Poison of_x(x, 1), of_matrices(matrices, 8);
    __m128i y = _mm_gf2p8affine_epi64_epi8(x, matrices, constant);
    of_x.put(y), of_matrices.put(y);
    return y;
}

template <int constant>
[[gnu::always_inline]] inline __m128i affine_inverse(__m128i x, __m128i matrices) {
    const Poison of_x(x, 1), of_matrices(matrices, 8);
    __m128i y = _mm_gf2p8affineinv_epi64_epi8(x, matrices, constant);
    of_x.put(y), of_matrices.put(y);
    return y;
}
STEND_FOR_ANY

STEND_FOR("avx512f")
template <int function>
[[gnu::always_inline]] inline __m512i ternary(__m512i a, __m512i b, __m512i c) {
    const Poison of_a(a, 1), of_b(b, 1), of_c(c, 1);
    __m512i y = _mm512_ternarylogic_epi64(a, b, c, function);
    of_a.put(y), of_b.put(y), of_c.put(y);
    return y;
}
STEND_FOR_ANY

STEND_FOR("avx512f,avx512vl")
template <int function>
[[gnu::always_inline]] inline __m256i ternary(__m256i a, __m256i b, __m256i c) {
    const Poison of_a(a, 1), of_b(b, 1), of_c(c, 1);
    __m256i y = _mm256_ternarylogic_epi64(a, b, c, function);
    of_a.put(y), of_b.put(y), of_c.put(y);
    return y;
}

template <int function>
[[gnu::always_inline]] inline __m128i ternary(__m128i a, __m128i b, __m128i c) {
    const Poison of_a(a, 1), of_b(b, 1), of_c(c, 1);
    __m128i y = _mm_ternarylogic_epi64(a, b, c, function);
    of_a.put(y), of_b.put(y), of_c.put(y);
    return y;
}
STEND_FOR_ANY

}  // namespace stend::gost
#endif
