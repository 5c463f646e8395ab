// _native.unet: inference of a U-Net as measured work.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <stend/unet/onnx.hpp>

#include "bindings.h"
#include "kernels/unet/turns.h"
#include "kernels/unet/unet.h"
#include "unet/variants.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings {
namespace {

std::vector<VariantInfo> variants(std::string_view precision) {
    return variant_infos(unet::makers(unet::precision(precision)));
}

using inference::Turns;

// Numbers of it, which keep it alive.
template <typename Value>
auto view(const nb::handle_t<Turns>& self, std::span<Value> values,
          std::initializer_list<std::size_t> shape) {
    return nb::ndarray<nb::numpy, Value>(values.data(), shape, self);
}

nb::list of_images(nb::handle_t<Turns> self) {
    const auto& turns = nb::cast<const Turns&>(self);
    nb::list all;
    for (std::size_t which = 0; which < inference::images; ++which)
        all.append(view(self, turns.image(which), {turns.side(), turns.side()}));
    return all;
}

nb::list of_outputs(nb::handle_t<Turns> self) {
    const auto& turns = nb::cast<const Turns&>(self);
    nb::list all;
    for (std::size_t which = 0; which < inference::images; ++which)
        all.append(
            view(self, turns.output(which), {inference::outputs, turns.side(), turns.side()}));
    return all;
}

nb::bytes model() {
    const std::vector<std::byte> file = unet::to_onnx(inference::measured_model());
    return nb::bytes(file.data(), file.size());
}

}  // namespace

void bind_unet(nb::module_ module) {
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
        "allowed",
        [](std::string_view precision) {
            return unet::tolerance(inference::measured_model(), unet::precision(precision));
        },
        "precision"_a);
    nb::class_<Turns>(module, "Turns")
        .def(nb::init<std::size_t, double>(), "side"_a, "allowed"_a)
        .def_prop_ro("images", of_images)
        .def_prop_ro("outputs", of_outputs)
        .def_prop_ro("asked", &Turns::asked)
        .def_prop_ro("turn", &Turns::turn)
        .def("begin", &Turns::begin)
        .def("end", &Turns::end)
        .def("right", &Turns::right)
        .def("said", &Turns::said);
}

}  // namespace stend::bindings
