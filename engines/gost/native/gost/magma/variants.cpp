// The list: those that are not constant time, then the others, each slowest first on
// this machine.
#include "gost/magma/variants.h"

namespace stend::gost::magma {

std::span<const Engine* const> variants() {
#if defined(__x86_64__)
    // On Zen 4 and Zen 5 permutes beat gates (avx512/README.md).
    static const Engine* const on_zen[] = {
        &reference, &tables, &portable, &avx2, &avx512::engine, &avx512::words_engine,
    };
    if (isa::amd_family() >= 0x19) return on_zen;
#endif
    static const Engine* const all[] = {
        &reference,
        &tables,
        &portable,
#if defined(__aarch64__)
        &neon,
#endif
#if defined(__x86_64__)
        &avx2,
        &avx512::words_engine,
        &avx512::engine,
#endif
    };
    return all;
}

}  // namespace stend::gost::magma
