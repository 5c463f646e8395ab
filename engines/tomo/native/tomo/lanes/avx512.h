// Sixteen lanes. To be included after STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,fma").
#pragma once

// GCC 12 takes the undefined vectors inside its own intrinsics for faults of ours
// (gcc.gnu.org/PR105593).
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

#include "tomo/lanes/lanes.h"

namespace stend::tomo {

struct Avx512 : Vectors<16> {
    static constexpr unsigned count = 16;

    STEND_INLINE static void transpose(Float (&r)[16]) {
        __m512 t[16];
        for (int k = 0; k < 8; ++k) {
            t[2 * k] = _mm512_unpacklo_ps(r[2 * k], r[2 * k + 1]);
            t[2 * k + 1] = _mm512_unpackhi_ps(r[2 * k], r[2 * k + 1]);
        }
        for (int k = 0; k < 16; k += 4) {
            r[k] = _mm512_shuffle_ps(t[k], t[k + 2], 0x44);
            r[k + 1] = _mm512_shuffle_ps(t[k], t[k + 2], 0xEE);
            r[k + 2] = _mm512_shuffle_ps(t[k + 1], t[k + 3], 0x44);
            r[k + 3] = _mm512_shuffle_ps(t[k + 1], t[k + 3], 0xEE);
        }
        for (int k = 0; k < 4; ++k) {
            t[k] = _mm512_shuffle_f32x4(r[k], r[k + 4], 0x88);
            t[k + 4] = _mm512_shuffle_f32x4(r[k], r[k + 4], 0xDD);
            t[k + 8] = _mm512_shuffle_f32x4(r[k + 8], r[k + 12], 0x88);
            t[k + 12] = _mm512_shuffle_f32x4(r[k + 8], r[k + 12], 0xDD);
        }
        for (int k = 0; k < 4; ++k) {
            r[k] = _mm512_shuffle_f32x4(t[k], t[k + 8], 0x88);
            r[k + 8] = _mm512_shuffle_f32x4(t[k], t[k + 8], 0xDD);
            r[k + 4] = _mm512_shuffle_f32x4(t[k + 4], t[k + 12], 0x88);
            r[k + 12] = _mm512_shuffle_f32x4(t[k + 4], t[k + 12], 0xDD);
        }
    }

    STEND_INLINE static void stream(Float* to, Float value) {
        _mm512_stream_ps(reinterpret_cast<float*>(to), value);
    }

    // Two vectors in half precision (IEEE 754 binary16).
    struct alignas(64) HalfPair {
        __m256i first, second;
    };
    STEND_INLINE static void stream_halves(HalfPair* to, Float first, Float second) {
        const __m256i low = _mm512_cvtps_ph(first, _MM_FROUND_TO_NEAREST_INT),
                      high = _mm512_cvtps_ph(second, _MM_FROUND_TO_NEAREST_INT);
        _mm512_stream_si512(reinterpret_cast<__m512i*>(to),
                            _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1));
    }
    STEND_INLINE static Float widened(__m256i halves) { return _mm512_cvtph_ps(halves); }

    STEND_INLINE static void fence() { _mm_sfence(); }
};

}  // namespace stend::tomo
