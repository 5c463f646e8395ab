// The list of variants, and the names of precisions.
#include "unet/variants.h"

#include <stdexcept>

namespace stend::unet {
namespace {

constexpr Maker float32_variants[] = {
    {"reference", {}, false, reference::make},
    {"direct", {}, false, direct::make},
    {"blas", {}, true, blas::make},
    {"winograd", {}, false, winograd::make_portable},
#if defined(__x86_64__)
    {"winograd-avx2", {isa::avx2, isa::fma}, false, winograd::make_avx2},
    {"winograd-avx512", {isa::avx512, isa::fma}, false, winograd::make_avx512},
#endif
};

struct Named {
    std::string_view name;
    Precision precision;
};
constexpr Named precisions[] = {
    {"float32", Precision::float32},
    {"bf16x3", Precision::bf16x3},
    {"bf16", Precision::bf16},
};

}  // namespace

std::span<const Maker> makers(Precision precision) {
    switch (precision) {
        case Precision::float32:
            return float32_variants;
        case Precision::bf16x3:
        case Precision::bf16:
            break;
    }
    return {};
}

std::string_view name(Precision precision) {
    for (const Named& named : precisions)
        if (named.precision == precision) return named.name;
    throw std::invalid_argument("There is no such precision.");
}

Precision precision(std::string_view name) {
    std::string names;
    for (const Named& named : precisions) {
        if (named.name == name) return named.precision;
        names += (names.empty() ? "" : ", ") + std::string(named.name);
    }
    throw std::invalid_argument("There is no precision \"" + std::string(name) + "\"; there are " +
                                names + ".");
}

}  // namespace stend::unet
