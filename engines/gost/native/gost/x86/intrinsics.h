// The compiler's intrinsics. GCC 12 takes the undefined vectors inside its own for faults of ours
// (gcc.gnu.org/PR105593), and says so hundreds of times.
#pragma once

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop
#else
#include <immintrin.h>
#endif
