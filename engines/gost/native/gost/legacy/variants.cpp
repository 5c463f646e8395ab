// The list: those that are not constant time, then the others, each slowest first on
// this machine.
#include "gost/legacy/variants.h"

namespace stend::gost::legacy {

std::span<const Engine* const> variants() {
#if defined(__x86_64__)
    static const Engine* const on_zen[] = {
        // as Magma's
        &reference, &tables, &portable, &avx2, &avx512, &avx512_words,
    };
    if (isa::amd_family() >= 0x19) return on_zen;
#endif
    static const Engine* const all[] = {
        &reference,
        &tables,
        &portable,
#if defined(__x86_64__)
        &avx2,
        &avx512_words,
        &avx512,
#endif
    };
    return all;
}

}  // namespace stend::gost::legacy
