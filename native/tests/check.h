// The C++ tests' tool: CHECK(condition) tells file, line and condition of the first
// thing that is not so, and ends the test with exit code 1.
#pragma once

#include <cstdio>
#include <cstdlib>

#define CHECK(...)                                                                         \
    do {                                                                                   \
        if (!(__VA_ARGS__)) {                                                              \
            std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #__VA_ARGS__); \
            std::exit(1);                                                                  \
        }                                                                                  \
    } while (false)

// CHECK_THROWS(std::invalid_argument, f()): f() throws that.
#define CHECK_THROWS(Error, ...)     \
    do {                             \
        bool threw = false;          \
        try {                        \
            __VA_ARGS__;             \
        } catch (const Error&) {     \
            threw = true;            \
        }                            \
        CHECK(threw&& #__VA_ARGS__); \
    } while (false)

// Whether a round took time. Under qemu-user 7.2 the counter of AArch64 is the host's time of day,
// which can be set back in the middle of a round.
inline bool took_time([[maybe_unused]] double seconds) {
#if defined(STEND_EMULATED) && defined(__aarch64__)
    return true;
#else
    return seconds > 0;
#endif
}
