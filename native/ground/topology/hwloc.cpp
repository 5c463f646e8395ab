// Built with hwloc: loads this machine's topology and exports it.
#include "topology/loaded.h"
#include "topology/topology.h"

namespace stend::topology {

Loaded loaded() {
    hwloc_topology_t topology = nullptr;
    if (hwloc_topology_init(&topology) != 0) return nullptr;
    Loaded owned(topology);
    hwloc_topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL);
    return hwloc_topology_load(topology) == 0 ? std::move(owned) : nullptr;
}

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
