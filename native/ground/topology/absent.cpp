// Built without hwloc: says so.
#include "topology/topology.h"

namespace stend::topology {

std::optional<std::string> xml() {
    return std::nullopt;
}

std::optional<std::string> hwloc_version() {
    return std::nullopt;
}

std::string reason() {
    return "stend was built without hwloc; install its headers (Debian: libhwloc-dev) and "
           "build again.";
}

}  // namespace stend::topology
