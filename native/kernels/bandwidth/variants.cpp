// The lists, slowest first from a cache: stores past the caches come before all others there,
// and are the fastest when the memory is larger than they are.
#include "kernels/bandwidth/variants.h"

namespace stend::bandwidth {

std::span<const Variant<Read>> read_variants() {
    static const Variant<Read> all[] = {
        {"plain", {}, plain.read},
#if defined(__x86_64__)
        {"avx2", {isa::avx2}, avx2.read},
        {"avx512", {isa::avx512}, avx512.read},
#endif
    };
    return all;
}

std::span<const Variant<Write>> write_variants() {
    static const Variant<Write> all[] = {
#if defined(__x86_64__)
        {"nontemporal-sse2", {isa::sse2}, nontemporal_sse2.write},
        {"nontemporal-avx2", {isa::avx2}, nontemporal_avx2.write},
        {"nontemporal-avx512", {isa::avx512}, nontemporal_avx512.write},
#endif
        {"plain", {}, plain.write},
#if defined(__x86_64__)
        {"avx2", {isa::avx2}, avx2.write},
        {"avx512", {isa::avx512}, avx512.write},
#endif
    };
    return all;
}

std::span<const Variant<Copy>> copy_variants() {
    static const Variant<Copy> all[] = {
#if defined(__x86_64__)
        {"nontemporal-sse2", {isa::sse2}, nontemporal_sse2.copy},
        {"nontemporal-avx2", {isa::avx2}, nontemporal_avx2.copy},
        {"nontemporal-avx512", {isa::avx512}, nontemporal_avx512.copy},
#endif
        {"plain", {}, plain.copy},
#if defined(__x86_64__)
        {"avx2", {isa::avx2}, avx2.copy},
        {"avx512", {isa::avx512}, avx512.copy},
#endif
    };
    return all;
}

}  // namespace stend::bandwidth
