// The list, slowest first.
#include "kernels/linpack/own.h"

namespace stend::linpack {

std::span<const Variant<const OwnMethod*>> own_variants() {
    static const Variant<const OwnMethod*> all[] = {
        {"own-portable", {}, &own_portable},
#if defined(__x86_64__)
        {"own-avx2", {isa::avx2, isa::fma}, &own_avx2},
        {"own-avx512", {isa::avx512}, &own_avx512},
#endif
    };
    return all;
}

}  // namespace stend::linpack
