// Between these two, functions are compiled for an instruction-set extension that the rest of
// the program does not need: STEND_FOR("avx2") … STEND_FOR_ANY.
#pragma once

#define STEND_PRAGMA(...) _Pragma(#__VA_ARGS__)

#if defined(__clang__)
#define STEND_FOR(extension) \
    STEND_PRAGMA(clang attribute push(__attribute__((target(extension))), apply_to = function))
#define STEND_FOR_ANY STEND_PRAGMA(clang attribute pop)
#else
#define STEND_FOR(extension)       \
    STEND_PRAGMA(GCC push_options) \
    STEND_PRAGMA(GCC target(extension))
#define STEND_FOR_ANY STEND_PRAGMA(GCC pop_options)
#endif

// A function that is never called: what runs in registers stays in them, and a caller's extension
// is not lost on the way.
#define STEND_INLINE [[gnu::always_inline]] inline
