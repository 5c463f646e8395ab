// What keeps one pass apart from the next.
#pragma once

namespace stend::bandwidth {

// The compiler must believe that the memory changes here and is read, or it could make one
// pass of many: reading the same again is no work, and writing over it makes the first vain.
[[gnu::always_inline]] inline void end_of_pass() {
    asm volatile("" ::: "memory");
}

}  // namespace stend::bandwidth
