// The list, slowest first.
#include "kernels/stream/variants.h"

namespace stend::stream {

std::span<const Variant<Loops>> variants() {
    static const Variant<Loops> all[] = {
        {"plain", {}, plain},
#if defined(__x86_64__)
        {"nontemporal-sse2", {isa::sse2}, nontemporal_sse2},
        {"nontemporal-avx2", {isa::avx2}, nontemporal_avx2},
        {"nontemporal-avx512", {isa::avx512}, nontemporal_avx512},
#endif
    };
    return all;
}

}  // namespace stend::stream
