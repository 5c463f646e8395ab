// The lists, slowest first.
#include "tomo/hfbp/variants.h"

#include "tomo/variants.h"

namespace stend::tomo::hfbp {
namespace {

// Plain, leaves as wide as costs no more loads than two narrower ones; fine, as what an undivided
// strip gains in exactness is worth (README.md).
constexpr Ladder plain{.fine = 1, .leaf = 4}, fine{.fine = 2, .leaf = 16};

template <const Ladder& ladder>
constexpr Maker all[] = {
    {"reference", {}, [](const Plan& plan) { return reference(plan, ladder); }},
    {"portable", {}, [](const Plan& plan) { return portable(plan, ladder); }},
#if defined(__x86_64__)
    {"avx2", {isa::avx2, isa::fma}, [](const Plan& plan) { return avx2(plan, ladder); }},
    {"avx512", {isa::avx512, isa::fma}, [](const Plan& plan) { return avx512(plan, ladder); }},
#endif
};

}  // namespace

std::span<const Maker> variants() {
    return all<plain>;
}

std::span<const Maker> fine_variants() {
    return all<fine>;
}

}  // namespace stend::tomo::hfbp
