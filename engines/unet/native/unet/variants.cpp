// The list of variants, and the names of precisions.
#include "unet/variants.h"

#include <stdexcept>

namespace stend::unet {
namespace {

constexpr Maker float32_variants[] = {
    {"reference", Rounding::sums, {}, false, reference::make},
    {"direct", Rounding::sums, {}, false, direct::make},
    {"blas", Rounding::sums, {}, true, blas::make},
    {"winograd", Rounding::tiles, {}, false, winograd::make_portable},
#if defined(__x86_64__)
    {"winograd-avx2", Rounding::tiles, {isa::avx2, isa::fma}, false, winograd::make_avx2},
    {"winograd-avx512", Rounding::tiles, {isa::avx512, isa::fma}, false, winograd::make_avx512},
#endif
};

#if defined(__x86_64__)
constexpr Maker bf16x3_variants[] = {
    {"amx-bf16x3",
     Rounding::halves,
     {isa::avx512, isa::avx512bf16, isa::amx_tile, isa::amx_bf16},
     false,
     bfloat16::make_amx_x3},
};

constexpr Maker bf16_variants[] = {
    {"avx512-bf16",
     Rounding::tile_factors,
     {isa::avx512, isa::avx512bf16},
     false,
     bfloat16::make_avx512},
    {"amx-bf16",
     Rounding::factors,
     {isa::avx512, isa::avx512bf16, isa::amx_tile, isa::amx_bf16},
     false,
     bfloat16::make_amx},
};
#else
constexpr std::span<const Maker> bf16x3_variants, bf16_variants;
#endif

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
            return bf16x3_variants;
        case Precision::bf16:
            return bf16_variants;
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
