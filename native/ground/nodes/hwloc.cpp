// Built with hwloc: it knows the nodes and binds to them; the kernel tells where pages lie.
#include <cerrno>
#include <cstring>
#include <vector>

#include "nodes/node.h"
#include "nodes/pages.h"
#include "team/seat.h"
#include "topology/loaded.h"

namespace stend::nodes {
namespace {

std::string because(int error) {
    const std::string said = std::string(" (") + std::strerror(error) + ")";
    if (error == EPERM || error == EACCES)
        return said + "; a container has to be given the capability SYS_NICE for that.";
    if (error == ENOSYS) return said + "; the kernel has to be built with NUMA for that.";
    return said + "; `numactl --show` lists the nodes that this process may use.";
}

// Where nothing can be bound because nothing has to be.
bool is_refusal(int error) {
    return error == EPERM || error == EACCES || error == ENOSYS;
}

class Bound final : public Node {
public:
    Bound(topology::Loaded topology, hwloc_obj_t object, bool only)
        : topology_(std::move(topology)), object_(object), only_(only) {}

    // hwloc lends a node of memory alone the CPUs that are nearest to it.
    int cpu() const override {
        for (const int cpu : usable_cpus())
            if (hwloc_bitmap_isset(object_->cpuset, static_cast<unsigned>(cpu))) return cpu;
        throw Unavailable("This process may use no CPU of memory " + name() + ".");
    }

    // Strictly: without that, hwloc only prefers the node.
    void bind(std::span<std::byte> pages) const override {
        if (object_->attr->numanode.local_memory == 0)
            throw Unavailable("Node " + std::to_string(object_->os_index) + " has no memory.");
        constexpr int strictly =
            HWLOC_MEMBIND_BYNODESET | HWLOC_MEMBIND_STRICT | HWLOC_MEMBIND_NOCPUBIND;
        if (hwloc_set_area_membind(topology_.get(), pages.data(), pages.size(), object_->nodeset,
                                   HWLOC_MEMBIND_BIND, strictly) == 0)
            return;
        if (only_ && is_refusal(errno)) return;
        throw Unavailable("The system refused to bind memory to " + name() + because(errno));
    }

    Proof holds(std::span<const std::byte> pages) const override {
        const Whereabouts found = whereabouts(pages, static_cast<int>(object_->os_index));
        if (only_ && is_refusal(found.error))
            return {true, "the machine has no memory but that of " + name()};
        if (found.error != 0)
            throw Unavailable("The system does not tell on which node pages lie" +
                              because(found.error));
        const std::string count = std::to_string(found.pages);
        if (found.elsewhere == 0) return {true, "all " + count + " pages lie on " + name()};
        return {false, std::to_string(found.elsewhere) + " of " + count + " pages do not lie on " +
                           name() + ", to which they are bound (" + std::to_string(found.nowhere) +
                           " in no memory at all)."};
    }

private:
    std::string name() const { return "node " + std::to_string(object_->os_index); }

    topology::Loaded topology_;
    hwloc_obj_t object_;
    bool only_;  // the machine has no other, whatever this process may use
};

std::string names(hwloc_const_bitmap_t nodes) {
    std::string all;
    for (int node = hwloc_bitmap_first(nodes); node >= 0; node = hwloc_bitmap_next(nodes, node))
        all += (all.empty() ? "" : ", ") + std::to_string(node);
    return all;
}

}  // namespace

Home node(int number) {
    topology::Loaded topology = topology::loaded();
    if (!topology) throw Unavailable("hwloc could not load this machine's topology.");
    if (!hwloc_topology_is_thissystem(topology.get()))
        throw Unavailable(
            "hwloc was told to describe another machine, to whose memory nodes nothing can be "
            "bound; unset HWLOC_XMLFILE and HWLOC_SYNTHETIC.");
    const hwloc_obj_t object =
        number < 0 ? nullptr : hwloc_get_numanode_obj_by_os_index(topology.get(), unsigned(number));
    if (!object)
        throw Unavailable("There is no memory node " + std::to_string(number) +
                          " that this process may use; there are " +
                          names(hwloc_topology_get_topology_nodeset(topology.get())) + ".");
    const bool only = hwloc_bitmap_weight(hwloc_topology_get_complete_nodeset(topology.get())) == 1;
    return std::make_shared<const Bound>(std::move(topology), object, only);
}

}  // namespace stend::nodes
