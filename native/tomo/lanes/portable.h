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

    STEND_INLINE static void transpose(Float (&r)[4]) {
        const Float a = __builtin_shufflevector(r[0], r[1], 0, 4, 1, 5),
                    b = __builtin_shufflevector(r[0], r[1], 2, 6, 3, 7),
                    c = __builtin_shufflevector(r[2], r[3], 0, 4, 1, 5),
                    d = __builtin_shufflevector(r[2], r[3], 2, 6, 3, 7);
        r[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
        r[1] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
        r[2] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
        r[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
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
