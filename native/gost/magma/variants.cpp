// The list, slowest first.
#include "gost/magma/variants.h"

namespace stend::gost::magma {

std::span<const Engine* const> variants() {
    static const Engine* const all[] = {
        &reference,
    };
    return all;
}

}  // namespace stend::gost::magma
