// _native.topology: hwloc's export of this machine.
#include "bindings.h"
#include "topology/topology.h"

namespace nb = nanobind;

namespace stend::bindings {

void bind_topology(nb::module_ module) {
    module.def("xml", &topology::xml);
}

}  // namespace stend::bindings
