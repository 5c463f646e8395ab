// The list, slowest first.
#include "tomo/iterative/kernels.h"

namespace stend::tomo::iterative {

std::span<const Kernels> variants() {
    static const Kernels all[] = {
        reference,
        portable,
#if defined(__x86_64__)
        avx2,
        avx512,
#endif
    };
    return all;
}

}  // namespace stend::tomo::iterative
