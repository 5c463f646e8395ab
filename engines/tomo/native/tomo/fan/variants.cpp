// The list, the widest vectors last.
#include "tomo/fan/kernels.h"

namespace stend::tomo::fan {

std::span<const Kernels> variants() {
    static const Kernels all[] = {
        portable,
#if defined(__x86_64__)
        avx2,
        avx512,
#endif
    };
    return all;
}

}  // namespace stend::tomo::fan
