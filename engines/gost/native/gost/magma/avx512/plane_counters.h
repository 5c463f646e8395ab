// Numbers of blocks as planes: made as such, so that nothing is transposed.
#pragma once
#if defined(__x86_64__)
#include "gost/magma/avx512/counters.h"
#include "gost/magma/avx512/planes.h"

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni,pclmul,vpclmulqdq")
namespace stend::gost::magma::avx512 {

// Bit `bit` of each block's number within its batch: from_planes() has block 8 * ((p ^ 7) % 64)
// + p / 64 in place p of the planes.
[[gnu::always_inline]] inline __m512i number_plane(unsigned bit) {
    constexpr std::uint64_t within_64[6] = {0x5555555555555555, 0x3333333333333333,
                                            0x0F0F0F0F0F0F0F0F, 0xFF00FF00FF00FF00,
                                            0xFFFF0000FFFF0000, 0xFFFFFFFF00000000};
    if (bit >= 3) return _mm512_set1_epi64(static_cast<long long>(within_64[bit - 3]));
    constexpr __mmask8 lanes[3] = {0xAA, 0xCC, 0xF0};
    return _mm512_movm_epi64(lanes[bit]);
}

// The bits of a number, each as a mask.
struct Masks {
    alignas(64) std::uint64_t of[32];

    [[gnu::always_inline]] explicit Masks(std::uint32_t x) {
#pragma GCC unroll 4
        for (unsigned i = 0; i < 32; i += 8)
            _mm512_store_si512(of + i, _mm512_movm_epi64(static_cast<__mmask8>(x >> i)));
        // gcc 12 would take the masks apart in registers: two or three shuffles for each.
        asm volatile("" : : "r"(of) : "memory");
    }
    [[gnu::always_inline]] __m512i operator[](unsigned i) const {
        return _mm512_set1_epi64(static_cast<long long>(of[i]));
    }
};

[[gnu::always_inline]] inline void constant_planes(std::uint32_t x, __m512i* planes) {
    const Masks masks(x);
#pragma GCC unroll 32
    for (unsigned i = 0; i < 32; ++i) planes[i] = masks[i];
}

// start + 0, 1, …, 511 modulo 2^32; gives the carry out of the lower nine bits.
[[gnu::always_inline]] inline __m512i counted_planes(std::uint32_t start, __m512i* planes) {
    const Masks masks(start), next(start + batch);
    __m512i carry = _mm512_setzero_si512();
#pragma GCC unroll 9
    for (unsigned i = 0; i < 9; ++i) {
        planes[i] = ternary<all_xor>(number_plane(i), masks[i], carry);
        carry = ternary<majority>(number_plane(i), masks[i], carry);
    }
#pragma GCC unroll 23
    for (unsigned i = 9; i < 32; ++i) planes[i] = ternary<chosen>(carry, next[i], masks[i]);
    return carry;
}

template <Counts what>
[[gnu::always_inline]] inline void count_planes(const Counter<what>& counter, Planes& x) {
    if constexpr (what == Counts::left) {
        constant_planes(counter.right, x.of);
        counted_planes(counter.left, x.of + 32);
    } else {
        const __m512i carry = counted_planes(counter.right, x.of);
        // The left half is one more where the right one begins anew.
        const bool anew = what == Counts::whole && counter.right > UINT32_MAX - batch;
        const Masks masks(counter.left), next(counter.left + anew);
#pragma GCC unroll 32
        for (unsigned i = 0; i < 32; ++i) x.of[32 + i] = ternary<chosen>(carry, next[i], masks[i]);
    }
}

}  // namespace stend::gost::magma::avx512
STEND_FOR_ANY
#endif
