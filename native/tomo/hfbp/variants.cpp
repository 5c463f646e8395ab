// The lists, slowest first.
#include "tomo/variants.h"

namespace stend::tomo::hfbp {

std::span<const Maker> variants() {
    return {};
}

std::span<const Maker> fine_variants() {
    return {};
}

}  // namespace stend::tomo::hfbp
