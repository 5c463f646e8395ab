// _native.memory: writing blocks through a region.
#include "bindings.h"
#include "memory/write.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings {

void bind_memory(nb::module_ module) {
    module.def("write_variants", [] { return variant_infos(memory::write_variants()); });
    module.def(
        "write",
        [](std::size_t block_bytes, std::size_t region_bytes, std::string_view variant) {
            return memory::write(block_bytes, region_bytes,
                                 chosen(memory::write_variants(), variant));
        },
        "block_bytes"_a, "region_bytes"_a, "variant"_a);
}

}  // namespace stend::bindings
