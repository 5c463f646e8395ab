// The lists, slowest first.
#include "tomo/fbp/variants.h"

#include "tomo/variants.h"

namespace stend::tomo {

namespace fbp {
std::span<const Maker> variants() {
    static const Maker all[] = {
        {"reference", {}, reference},
    };
    return all;
}
}  // namespace fbp

namespace fbp_int16 {
std::span<const Maker> variants() {
    return {};
}
}  // namespace fbp_int16

}  // namespace stend::tomo
