// Built with hwloc: loads this machine's topology and exports it.
#include <hwloc.h>

#include <memory>

#include "topology/topology.h"

namespace stend::topology {
namespace {

struct Destroy {
    void operator()(hwloc_topology* topology) const { hwloc_topology_destroy(topology); }
};

std::unique_ptr<hwloc_topology, Destroy> loaded() {
    hwloc_topology_t topology = nullptr;
    if (hwloc_topology_init(&topology) != 0) return nullptr;
    std::unique_ptr<hwloc_topology, Destroy> owned(topology);
    hwloc_topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL);
    return hwloc_topology_load(topology) == 0 ? std::move(owned) : nullptr;
}

}  // namespace

std::optional<std::string> xml() {
    const auto topology = loaded();
    char* text = nullptr;
    int length = 0;
    if (!topology || hwloc_topology_export_xmlbuffer(topology.get(), &text, &length, 0) != 0)
        return std::nullopt;
    std::string copy(text);
    hwloc_free_xmlbuffer(topology.get(), text);
    return copy;
}

std::optional<std::string> hwloc_version() {
    return HWLOC_VERSION;
}

std::string reason() {
    return xml() ? "" : "hwloc could not load this machine's topology.";
}

}  // namespace stend::topology
