// Seven functions of hwloc's interface of version 2 (its soname is 15), which keep their arguments
// in all releases of it; a topology is seen as a pointer alone, so none of its headers is needed.
#include "topology/topology.h"

#include <dlfcn.h>

#include <memory>
#include <type_traits>

#include "kernel.h"

namespace stend::topology {
namespace {

struct Topology;

constexpr int keep_all = 0;  // HWLOC_TYPE_FILTER_KEEP_ALL

struct Hwloc {
    int (*init)(Topology**);
    int (*filter)(Topology*, int);
    int (*load)(Topology*);
    int (*is_this_system)(const Topology*);
    int (*export_xml)(const Topology*, char**, int*, unsigned long);
    void (*free_xml)(const Topology*, char*);
    void (*destroy)(Topology*);
};

// Never unloaded: its functions are kept.
Hwloc loaded() {
    void* const library = dlopen("libhwloc.so.15", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        throw Unavailable("hwloc 2 can't be loaded (" + std::string(dlerror()) +
                          "); install it (Debian: libhwloc15).");
    Hwloc hwloc{};
    const auto find = [&](const char* name, auto& function) {
        void* const found = dlsym(library, name);
        if (!found) throw Unavailable(std::string("libhwloc.so.15 lacks ") + name + ".");
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(found);
    };
    find("hwloc_topology_init", hwloc.init);
    find("hwloc_topology_set_all_types_filter", hwloc.filter);
    find("hwloc_topology_load", hwloc.load);
    find("hwloc_topology_is_thissystem", hwloc.is_this_system);
    find("hwloc_topology_export_xmlbuffer", hwloc.export_xml);
    find("hwloc_free_xmlbuffer", hwloc.free_xml);
    find("hwloc_topology_destroy", hwloc.destroy);
    return hwloc;
}

using Owned = std::unique_ptr<Topology, void (*)(Topology*)>;

Owned look(const Hwloc& hwloc) {
    Topology* made = nullptr;
    if (hwloc.init(&made) != 0) throw Unavailable("hwloc could not begin.");
    Owned topology(made, hwloc.destroy);
    hwloc.filter(made, keep_all);
    if (hwloc.load(made) != 0) throw Unavailable("hwloc could not load this machine's topology.");
    if (!hwloc.is_this_system(made))
        throw Unavailable(
            "hwloc was told to describe another machine; unset HWLOC_XMLFILE and "
            "HWLOC_SYNTHETIC.");
    return topology;
}

}  // namespace

std::string xml() {
    static const Hwloc hwloc = loaded();
    const Owned topology = look(hwloc);
    char* text = nullptr;
    int length = 0;
    if (hwloc.export_xml(topology.get(), &text, &length, 0) != 0)
        throw Unavailable("hwloc could not export this machine's topology.");
    std::string copy(text);
    hwloc.free_xml(topology.get(), text);
    return copy;
}

}  // namespace stend::topology
