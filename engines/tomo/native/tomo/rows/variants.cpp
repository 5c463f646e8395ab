// The list, slowest first.
#include "tomo/rows/kernels.h"

namespace stend::tomo::rows {

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

}  // namespace stend::tomo::rows
