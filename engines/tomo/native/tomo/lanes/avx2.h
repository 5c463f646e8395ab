// Eight lanes. To be included after STEND_FOR("avx2,fma").
#pragma once

#include <immintrin.h>

#include "tomo/lanes/lanes.h"

namespace stend::tomo {

struct Avx2 : Vectors<8> {
    static constexpr unsigned count = 8;

    STEND_INLINE static void transpose(Float (&r)[8]) {
        __m256 pairs[8], fours[8];
        for (int k = 0; k < 4; ++k) {
            pairs[2 * k] = _mm256_unpacklo_ps(r[2 * k], r[2 * k + 1]);
            pairs[2 * k + 1] = _mm256_unpackhi_ps(r[2 * k], r[2 * k + 1]);
        }
        for (int k = 0; k < 2; ++k) {
            fours[4 * k] = _mm256_shuffle_ps(pairs[4 * k], pairs[4 * k + 2], 0x44);
            fours[4 * k + 1] = _mm256_shuffle_ps(pairs[4 * k], pairs[4 * k + 2], 0xEE);
            fours[4 * k + 2] = _mm256_shuffle_ps(pairs[4 * k + 1], pairs[4 * k + 3], 0x44);
            fours[4 * k + 3] = _mm256_shuffle_ps(pairs[4 * k + 1], pairs[4 * k + 3], 0xEE);
        }
        for (int k = 0; k < 4; ++k) {
            r[k] = _mm256_permute2f128_ps(fours[k], fours[k + 4], 0x20);
            r[k + 4] = _mm256_permute2f128_ps(fours[k], fours[k + 4], 0x31);
        }
    }

    STEND_INLINE static void stream(Float* to, Float value) {
        _mm256_stream_ps(reinterpret_cast<float*>(to), value);
    }
    STEND_INLINE static void fence() { _mm_sfence(); }
};

}  // namespace stend::tomo
