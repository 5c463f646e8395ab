// The list: those that are not constant time, then the others, each slowest first.
#include "gost/kuznyechik/variants.h"

namespace stend::gost::kuznyechik {

std::span<const Engine* const> variants() {
    static const Engine* const all[] = {
        &reference,
        &tables,
        &portable,
#if defined(__x86_64__)
        &avx2,
        &avx2_gfni,
        &avx512,
#elif defined(__aarch64__)
        &neon,
#endif
    };
    return all;
}

}  // namespace stend::gost::kuznyechik
