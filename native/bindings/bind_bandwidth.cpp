// _native.bandwidth: reading, writing and copying memory of any size.
#include "bindings.h"
#include "kernels/bandwidth/bandwidth.h"
#include "team/seat.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings {
namespace {

template <auto variants, auto make>
void bind(nb::module_& module, const char* name) {
    module.def((std::string(name) + "_variants").c_str(), [] { return variant_infos(variants()); });
    module.def(
        name,
        [](std::size_t bytes, unsigned threads, std::string_view variant) {
            return make(bytes, first_cpus(threads), chosen(variants(), variant));
        },
        "bytes"_a, "threads"_a, "variant"_a);
}

}  // namespace

void bind_bandwidth(nb::module_ module) {
    bind<bandwidth::read_variants, bandwidth::read>(module, "read");
    bind<bandwidth::write_variants, bandwidth::write>(module, "write");
    bind<bandwidth::copy_variants, bandwidth::copy>(module, "copy");
    module.def("passes", &bandwidth::passes, "bytes"_a, "threads"_a);
}

}  // namespace stend::bindings
