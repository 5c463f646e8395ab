// Verdicts: what is made of secrets and yet meant to be known, because the interface tells it. Only
// the tools that follow secrets (tests/native/gost_secrets.cpp) have to be told so, in the builds
// made for them; everywhere else verdict(x) is x.
#pragma once

#if defined(STEND_FOR_VALGRIND)
#include <valgrind/memcheck.h>
#elif defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define STEND_FOR_MSAN
#endif
#endif

namespace stend::gost {

template <typename T>
[[gnu::always_inline]] inline T verdict(T x) {
#if defined(STEND_FOR_VALGRIND)
    VALGRIND_MAKE_MEM_DEFINED(&x, sizeof x);
#elif defined(STEND_FOR_MSAN)
    __msan_unpoison(&x, sizeof x);
#endif
    return x;
}

}  // namespace stend::gost
