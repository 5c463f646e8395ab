// _native.inference: inference of a U-Net as measured work.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <stend/unet/onnx.hpp>

#include "bindings.h"
#include "inference/inference.h"
#include "inference/problem.h"
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

using Values = nb::ndarray<float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Known = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

double error(std::size_t side, const Known& output) {
    const inference::Problem& problem = inference::problem(side);
    if (output.size() != inference::outputs * side * side)
        throw std::invalid_argument("An output of " + std::to_string(output.size()) +
                                    " numbers is not that of an image " + std::to_string(side) +
                                    " pixels wide.");
    return inference::error(problem, {output.data(), output.size()});
}

nb::bytes model() {
    const std::vector<std::byte> file = unet::to_onnx(inference::measured_model());
    return nb::bytes(file.data(), file.size());
}

}  // namespace

void bind_inference(nb::module_ module) {
    module.def("variants", variants, "precision"_a);
    module.def(
        "kernel",
        [](std::string_view precision, std::size_t side, unsigned threads, std::string_view variant,
           const std::optional<blas::Description>& library) {
            return inference::kernel(unet::precision(precision), side, threads, variant, library);
        },
        "precision"_a, "side"_a, "threads"_a, "variant"_a, "library"_a = nb::none());
    module.def("model", model);
    module.def(
        "fill",
        [](const Values& image) {
            inference::fill({image.data(), image.size()});
        },
        "image"_a);
    module.def("error", error, "side"_a, "output"_a);
    module.def(
        "allowed",
        [](std::string_view precision) {
            return unet::tolerance(inference::measured_model(), unet::precision(precision));
        },
        "precision"_a);
}

}  // namespace stend::bindings
