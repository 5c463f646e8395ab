// Bytes declared secret for a tool that follows them: valgrind's memcheck, which takes them for
// undefined, or clang's MemorySanitizer where this is compiled for it. Both report a branch and an
// address that depend on such bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define STEND_UNDER_MSAN 1
#endif
#endif
#if !defined(STEND_UNDER_MSAN) && __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#define STEND_BESIDE_VALGRIND 1
#endif

namespace secrets {

// MemorySanitizer follows a bit to the same bit of a sum, without a carry, and of a product, and a
// byte to the same byte of a shuffle. So it is asked only for what valgrind can't run, and with
// secrets that fill keys and blocks.
#if defined(STEND_UNDER_MSAN)
inline constexpr bool roughly = true;
#else
inline constexpr bool roughly = false;
#endif

inline bool somebody_looks() {
#if defined(STEND_UNDER_MSAN)
    return true;
#elif defined(STEND_BESIDE_VALGRIND)
    return RUNNING_ON_VALGRIND != 0;
#else
    return false;
#endif
}

inline void hide([[maybe_unused]] void* bytes, [[maybe_unused]] std::size_t size) {
#if defined(STEND_UNDER_MSAN)
    __msan_poison(bytes, size);
#elif defined(STEND_BESIDE_VALGRIND)
    VALGRIND_MAKE_MEM_UNDEFINED(bytes, size);
#endif
}

inline void show([[maybe_unused]] void* bytes, [[maybe_unused]] std::size_t size) {
#if defined(STEND_UNDER_MSAN)
    __msan_unpoison(bytes, size);
#elif defined(STEND_BESIDE_VALGRIND)
    VALGRIND_MAKE_MEM_DEFINED(bytes, size);
#endif
}

// The first byte that is not secret; `size` when all are. At most most_bytes.
inline constexpr std::size_t most_bytes = 40000;
inline std::size_t first_shown([[maybe_unused]] const std::uint8_t* bytes, std::size_t size) {
    std::size_t i = 0;
#if defined(STEND_UNDER_MSAN)
    while (i < size && __msan_test_shadow(bytes + i, 1) == 0) ++i;
#elif defined(STEND_BESIDE_VALGRIND)
    static unsigned char bits[most_bytes];
    if (size > most_bytes) return 0;
    VALGRIND_GET_VBITS(bytes, bits, size);
    while (i < size && bits[i] != 0) ++i;
#endif
    return i;
}

// Every byte came from the secrets: were one defined, the tool would have lost them on the way.
// They are shown then.
inline void expect_secret(const char* work, void* bytes, std::size_t size) {
    const std::size_t first = first_shown(static_cast<const std::uint8_t*>(bytes), size);
    if (first < size) {
        std::printf("%s: byte %zu of %zu is not followed back to the secrets\n", work, first, size);
        std::exit(1);
    }
    show(bytes, size);
}

}  // namespace secrets
