// The list: those that are not constant time, then the others, each slowest first.
#include "gost/magma/variants.h"

#include <array>
#include <utility>

namespace stend::gost::magma {

std::span<const Engine* const> variants() {
    static const auto all = [] {
        std::array list = {
            &reference,
            &tables,
            &portable,
#if defined(__aarch64__)
            &neon,
#endif
#if defined(__x86_64__)
            &avx2,
            &avx512::without_planes,
            &avx512::engine,
#endif
        };
        // Permutes beat gates there, and general registers vectors in a chain (avx512/README.md).
        if (isa::amd_family_1a()) std::swap(list.end()[-2], list.end()[-1]);
        return list;
    }();
    return all;
}

}  // namespace stend::gost::magma
