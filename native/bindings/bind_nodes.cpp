// _native.nodes: copying and chasing between memory nodes, by the rooms that do so anywhere.
#include "bindings.h"
#include "kernels/bandwidth/bandwidth.h"
#include "kernels/latency/latency.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stend::bindings {

void bind_nodes(nb::module_ module) {
    module.def(
        "copy",
        [](std::size_t block, int node, int memory, std::string_view variant) {
            return bandwidth::copy_between(2 * block, nodes::node(node), nodes::node(memory),
                                           chosen(bandwidth::copy_variants(), variant));
        },
        "block"_a, "node"_a, "memory"_a, "variant"_a);
    module.def(
        "latency",
        [](std::size_t bytes, int node, int memory) {
            return latency::chase_on(bytes, nodes::node(node), nodes::node(memory));
        },
        "bytes"_a, "node"_a, "memory"_a);
}

}  // namespace stend::bindings
