// The list: those that are not constant time, then the others, each slowest first.
#include "gost/magma/variants.h"

namespace stend::gost::magma {

std::span<const Engine* const> variants() {
    static const Engine* const all[] = {
        &reference,
        &tables,
        &portable,
#if defined(__aarch64__)
        &neon,
#endif
#if defined(__x86_64__)
        &avx2,
        &avx512::engine,
#endif
    };
    return all;
}

}  // namespace stend::gost::magma
