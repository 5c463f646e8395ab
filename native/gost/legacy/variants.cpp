// The list: those that are not constant time, then the others, each slowest first.
#include "gost/legacy/variants.h"

#include <array>
#include <utility>

namespace stend::gost::legacy {

std::span<const Engine* const> variants() {
    static const auto all = [] {
        std::array list = {
            &reference,
            &tables,
            &portable,
#if defined(__x86_64__)
            &avx2,
            &avx512_words,
            &avx512,
#endif
        };
        if (isa::amd_family_1a()) std::swap(list.end()[-2], list.end()[-1]);  // as Magma's
        return list;
    }();
    return all;
}

}  // namespace stend::gost::legacy
