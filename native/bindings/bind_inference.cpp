// _native.inference: inference of a U-Net as measured work.
#include "bindings.h"
#include "inference/inference.h"
#include "unet/variants.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings {
namespace {

std::vector<VariantInfo> variants(std::string_view precision) {
    std::vector<VariantInfo> infos;
    for (const unet::Maker& maker : unet::makers(unet::precision(precision)))
        infos.push_back(variant_info(maker.name, maker.needs));
    return infos;
}

}  // namespace

void bind_inference(nb::module_ module) {
    module.def("variants", variants, "precision"_a);
    module.def(
        "kernel",
        [](std::string_view precision, std::size_t side, unsigned threads,
           std::string_view variant) {
            return inference::kernel(unet::precision(precision), side, threads, variant);
        },
        "precision"_a, "side"_a, "threads"_a, "variant"_a);
}

}  // namespace stend::bindings
