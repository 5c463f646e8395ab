// The list, slowest first.
#include "kernels/peak/variants.h"

namespace stend::peak {

std::span<const Variant<Loops>> variants() {
    static const Variant<Loops> all[] = {
        {"scalar", {}, scalar},
#if defined(__x86_64__)
        {"sse2", {isa::sse2}, sse2},
        {"avx2", {isa::avx2, isa::fma}, avx2},
        {"avx512", {isa::avx512}, avx512},
#elif defined(__aarch64__)
        {"neon", {isa::neon}, neon},
#if defined(__linux__)
        {"sve", {isa::sve}, sve},
#endif
#endif
    };
    return all;
}

}  // namespace stend::peak
