// Four lanes of the compiler's own vectors: SSE2 on any x86-64, NEON on any AArch64, plain floats
// elsewhere. Wider ones than the machine has would be spilled at every step (measured: five times
// slower with eight on SSE2).
#pragma once

#include "tomo/lanes/lanes.h"

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace stend::tomo {

struct Portable : Vectors<4> {
    static constexpr unsigned count = 4;

    // Lanes of a and b, counted through both.
    template <int i, int j, int k, int l>
    STEND_INLINE static Float mixed(Float a, Float b) {
#if defined(__clang__)
        return __builtin_shufflevector(a, b, i, j, k, l);
#else  // GCC has that from 12 on
        return __builtin_shuffle(a, b, Int{i, j, k, l});
#endif
    }

    STEND_INLINE static void transpose(Float (&r)[4]) {
        const Float a = mixed<0, 4, 1, 5>(r[0], r[1]), b = mixed<2, 6, 3, 7>(r[0], r[1]),
                    c = mixed<0, 4, 1, 5>(r[2], r[3]), d = mixed<2, 6, 3, 7>(r[2], r[3]);
        r[0] = mixed<0, 1, 4, 5>(a, c);
        r[1] = mixed<2, 3, 6, 7>(a, c);
        r[2] = mixed<0, 1, 4, 5>(b, d);
        r[3] = mixed<2, 3, 6, 7>(b, d);
    }

#if defined(__x86_64__)
    STEND_INLINE static void stream(Float* to, Float value) {
        _mm_stream_ps(reinterpret_cast<float*>(to), value);
    }
    STEND_INLINE static void fence() { _mm_sfence(); }
#else
    STEND_INLINE static void stream(Float* to, Float value) { *to = value; }
    STEND_INLINE static void fence() {}
#endif
};

}  // namespace stend::tomo
