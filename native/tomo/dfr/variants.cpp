// The lists, slowest first.
#include "tomo/variants.h"

namespace stend::tomo::dfr {

std::span<const Maker> variants() {
    return {};
}

}  // namespace stend::tomo::dfr
