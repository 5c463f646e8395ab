// Built without hwloc: there is no node to bind to.
#include "nodes/node.h"
#include "topology/topology.h"

namespace stend::nodes {

Home node(int) {
    throw Unavailable("Memory is bound to a node through hwloc, and " + topology::reason());
}

}  // namespace stend::nodes
