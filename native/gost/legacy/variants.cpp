// The list: those that are not constant time, then the others, each slowest first.
#include "gost/legacy/variants.h"

namespace stend::gost::legacy {

std::span<const Engine* const> variants() {
    static const Engine* const all[] = {
        &reference,
        &tables,
        &portable,
#if defined(__x86_64__)
        &avx2,
        &avx512,
#endif
    };
    return all;
}

}  // namespace stend::gost::legacy
