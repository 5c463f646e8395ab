// _native.slices: tomographic reconstruction as measured work.
#include "bindings.h"
#include "slices/slices.h"
#include "tomo/variants.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings {
namespace {

std::span<const tomo::Maker> makers(tomo::Algorithm algorithm) {
    switch (algorithm) {
        case tomo::Algorithm::fbp:
            return tomo::fbp::variants();
        case tomo::Algorithm::fbp_int16:
            return tomo::fbp_int16::variants();
        case tomo::Algorithm::dfr:
            return tomo::dfr::variants();
        case tomo::Algorithm::dfr_half:
            return tomo::dfr::half_variants();
        case tomo::Algorithm::hfbp:
            return tomo::hfbp::variants();
        case tomo::Algorithm::hfbp_fine:
            return tomo::hfbp::fine_variants();
    }
    return {};
}

std::vector<VariantInfo> variants(std::string_view algorithm) {
    std::vector<VariantInfo> infos;
    for (const tomo::Maker& maker : makers(slices::algorithm(algorithm)))
        infos.push_back(variant_info(maker.name, maker.needs));
    return infos;
}

}  // namespace

void bind_slices(nb::module_ module) {
    module.def("variants", variants, "algorithm"_a);
    module.def(
        "kernel",
        [](std::string_view problem, std::string_view algorithm, std::size_t slices,
           unsigned threads, std::string_view variant) {
            return slices::kernel(slices::problem(problem), slices::algorithm(algorithm), slices,
                                  threads, variant);
        },
        "problem"_a, "algorithm"_a, "slices"_a, "threads"_a, "variant"_a);
}

}  // namespace stend::bindings
