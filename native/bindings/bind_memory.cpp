// _native.memory: writing blocks through a region, and by several threads.
#include "bindings.h"
#include "kernels/memory/parallel.h"

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
    module.def(
        "write_parallel",
        [](std::size_t block_bytes, unsigned threads, std::string_view affinity,
           std::string_view variant) {
            return memory::write_parallel(block_bytes, threads, memory::affinity(affinity),
                                          chosen(memory::write_variants(), variant));
        },
        "block_bytes"_a, "threads"_a, "affinity"_a, "variant"_a);
}

}  // namespace stend::bindings
