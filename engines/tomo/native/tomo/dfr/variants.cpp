// The lists, slowest first.
#include "tomo/dfr/variants.h"

#include "tomo/variants.h"

namespace stend::tomo::dfr {

std::span<const Maker> variants() {
    static constexpr Maker all[] = {
        {"reference", {}, reference},
        {"portable", {}, portable},
#if defined(__x86_64__)
        {"avx2", {isa::avx2, isa::fma}, avx2},
        {"avx512", {isa::avx512, isa::fma}, avx512},
#endif
    };
    return all;
}

// Where halves save nothing the image stays in floats.
std::span<const Maker> half_variants() {
    static constexpr Maker all[] = {
        {"portable", {}, portable},
#if defined(__x86_64__)
        {"avx2", {isa::avx2, isa::fma}, avx2},
        {"avx512", {isa::avx512, isa::fma}, half_avx512},
#endif
    };
    return all;
}

}  // namespace stend::tomo::dfr
