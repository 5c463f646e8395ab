// _native.peak: chains in registers.
#include "bindings.h"
#include "kernels/peak/peak.h"
#include "team/seat.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings {

void bind_peak(nb::module_ module) {
    module.def("variants", [] { return variant_infos(peak::variants()); });
    module.def(
        "operations",
        [](std::string_view type, std::string_view variant) {
            return peak::operations(peak::type(type), chosen(peak::variants(), variant));
        },
        "type"_a, "variant"_a);
    module.def(
        "kernel",
        [](std::string_view type, unsigned threads, std::string_view variant) {
            return peak::kernel(peak::type(type), first_cpus(threads),
                                chosen(peak::variants(), variant));
        },
        "type"_a, "threads"_a, "variant"_a);
}

}  // namespace stend::bindings
