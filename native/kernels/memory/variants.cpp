// The list, slowest first.
#include "kernels/memory/fills.h"

namespace stend::memory {

std::span<const Variant<Fill>> write_variants() {
    static const Variant<Fill> all[] = {
        {"plain", {}, plain},
#if defined(__x86_64__)
        {"nontemporal-sse2", {isa::sse2}, nontemporal_sse2},
#endif
    };
    return all;
}

}  // namespace stend::memory
