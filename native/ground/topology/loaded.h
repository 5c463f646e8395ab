// hwloc's topology of this machine, loaded; for builds with hwloc only.
#pragma once

#include <hwloc.h>

#include <memory>

namespace stend::topology {

struct Destroy {
    void operator()(hwloc_topology* topology) const { hwloc_topology_destroy(topology); }
};
using Loaded = std::unique_ptr<hwloc_topology, Destroy>;

// With every type of object; null when hwloc can't look. Takes some 10 ms. HWLOC_XMLFILE and
// HWLOC_SYNTHETIC have hwloc describe another machine: hwloc_topology_is_thissystem() tells.
Loaded loaded();

}  // namespace stend::topology
