// The list, slowest first.
#include "tomo/phantom/variants.h"

#include "isa/variant.h"

namespace stend::tomo {

namespace chords {
std::span<const Variant> variants() {
    static const Variant all[] = {
        portable,
#if defined(__x86_64__)
        avx2,
#endif
    };
    return all;
}
}  // namespace chords

std::vector<std::string_view> phantom_variants() {
    return runnable(chords::variants());
}

}  // namespace stend::tomo
