// The four operations, on doubles or on vectors of them. Inlined always: the instance in
// a function for AVX-512 must not become the one that others call.
#pragma once

#include "kernels/stream/stream.h"

namespace stend::stream {

template <Operation operation, typename T>
[[gnu::always_inline]] inline T formula(T x, [[maybe_unused]] T y, [[maybe_unused]] T s) {
    if constexpr (operation == Operation::copy) return x;
    if constexpr (operation == Operation::scale) return s * x;
    if constexpr (operation == Operation::add) return x + y;
    if constexpr (operation == Operation::triad) return x + s * y;
}

template <Operation operation>
inline constexpr bool reads_two = operation == Operation::add || operation == Operation::triad;

}  // namespace stend::stream
