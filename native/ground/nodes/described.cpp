// /sys/devices/system/node (Documentation/ABI/stable/sysfs-devices-node in Linux), and
// Mems_allowed_list of /proc/self/status, which a container shows where get_mempolicy(2) is denied.
#include "nodes/described.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

#include "isa/cores.h"
#include "team/seat.h"

namespace stend::nodes {
namespace {

const std::string folder = "/sys/devices/system/node/";

std::ifstream file_of(int node, const char* name) {
    return std::ifstream(folder + "node" + std::to_string(node) + "/" + name);
}

std::vector<int> own_cpus(int node) {
    std::ifstream file = file_of(node, "cpulist");
    return file ? isa::listed(file) : usable_cpus();  // a kernel without NUMA
}

std::vector<int> allowed_memories() {
    const std::string name = "Mems_allowed_list:";
    std::ifstream file("/proc/self/status");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with(name)) {
            std::istringstream list(line.substr(name.size()));
            return isa::listed(list);
        }
    return {};
}

}  // namespace

std::vector<int> online() {
    std::ifstream file(folder + "online");
    std::vector<int> nodes = isa::listed(file);
    return nodes.empty() ? std::vector{0} : nodes;
}

std::vector<int> usable() {
    std::vector<int> found = online();
    if (const std::vector<int> allowed = allowed_memories(); !allowed.empty())
        std::erase_if(found, [&](int node) {
            return has_memory(node) && std::ranges::find(allowed, node) == allowed.end();
        });
    return found;
}

std::vector<int> cpus(int node) {
    std::vector<int> nearest = own_cpus(node);
    if (!nearest.empty()) return nearest;
    std::ifstream distances = file_of(node, "distance");  // to each node that is online
    int least = std::numeric_limits<int>::max(), distance = 0;
    for (const int other : online()) {
        if (!(distances >> distance)) break;
        std::vector<int> there = own_cpus(other);
        if (there.empty() || distance >= least) continue;
        least = distance;
        nearest = std::move(there);
    }
    return nearest;
}

// "Node 0 MemTotal:       32849636 kB" is the first line of its kind.
bool has_memory(int node) {
    std::ifstream file = file_of(node, "meminfo");
    for (std::string word; file >> word;)
        if (word == "MemTotal:") {
            long long kilobytes = 0;
            return !(file >> kilobytes) || kilobytes > 0;
        }
    return true;
}

}  // namespace stend::nodes
