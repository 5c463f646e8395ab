// _native.latency: what a load takes, alone and beside threads that read.
#include "bindings.h"
#include "kernels/latency/latency.h"
#include "team/seat.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings {

void bind_latency(nb::module_ module) {
    module.def(
        "chase",
        [](std::size_t bytes, std::string_view pages) {
            return latency::chase(bytes, latency::pages(pages));
        },
        "bytes"_a, "pages"_a);
    module.def(
        "loaded",
        [](std::size_t bytes, unsigned readers, std::uint64_t delay) {
            return latency::loaded(bytes, delay, first_cpus(readers + 1));
        },
        "bytes"_a, "readers"_a, "delay"_a);
}

}  // namespace stend::bindings
