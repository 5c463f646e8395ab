// The list, slowest first.
#include "gost/legacy/variants.h"

namespace stend::gost::legacy {

std::span<const Engine* const> variants() {
    static const Engine* const all[] = {
        &reference,
        &portable,
    };
    return all;
}

}  // namespace stend::gost::legacy
