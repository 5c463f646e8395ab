// _native.topology: hwloc's export of this machine.
#include <nanobind/stl/optional.h>

#include "bindings.h"
#include "topology/topology.h"

namespace nb = nanobind;

namespace stend::bindings {

void bind_topology(nb::module_ module) {
    module.def("xml", &topology::xml);
    module.def("hwloc_version", &topology::hwloc_version);
    module.def("reason", &topology::reason);
}

}  // namespace stend::bindings
