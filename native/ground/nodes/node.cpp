// mbind(2) binds, and move_pages(2) tells where pages lie: what binds is not what proves.
#include "nodes/node.h"

#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstring>
#include <vector>

#include "nodes/described.h"
#include "nodes/pages.h"
#include "team/seat.h"

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

// Strictly: what does not fit on the node goes nowhere else.
bool bind_strictly(std::span<std::byte> pages, int node) {
    constexpr std::size_t bits = sizeof(unsigned long) * CHAR_BIT;
    const auto number = static_cast<std::size_t>(node);
    std::vector<unsigned long> nodes(number / bits + 1);
    nodes[number / bits] |= 1UL << number % bits;
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const auto begin = reinterpret_cast<std::uintptr_t>(pages.data());
    const std::uintptr_t before = begin % page;
    // the kernel reads one bit less than it is told
    return syscall(SYS_mbind, begin - before, pages.size() + before, MPOL_BIND, nodes.data(),
                   nodes.size() * bits + 1, 0) == 0;
}

class Bound final : public Node {
public:
    Bound(int number, bool only) : number_(number), only_(only) {}

    int cpu() const override {
        const std::vector<int> here = cpus(number_);
        for (const int cpu : usable_cpus())
            if (std::ranges::find(here, cpu) != here.end()) return cpu;
        throw Unavailable("This process may use no CPU of memory " + name() + ".");
    }

    void bind(std::span<std::byte> pages) const override {
        if (!has_memory(number_))
            throw Unavailable("Node " + std::to_string(number_) + " has no memory.");
        if (bind_strictly(pages, number_) || (only_ && is_refusal(errno))) return;
        throw Unavailable("The system refused to bind memory to " + name() + because(errno));
    }

    Proof holds(std::span<const std::byte> pages) const override {
        const Whereabouts found = whereabouts(pages, number_);
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
    std::string name() const { return "node " + std::to_string(number_); }

    int number_;
    bool only_;  // the machine has no other, whatever this process may use
};

std::string names(const std::vector<int>& nodes) {
    std::string all;
    for (const int node : nodes) all += (all.empty() ? "" : ", ") + std::to_string(node);
    return all;
}

}  // namespace

Home node(int number) {
    const std::vector<int> there = usable();
    if (std::ranges::find(there, number) == there.end())
        throw Unavailable("There is no memory node " + std::to_string(number) +
                          " that this process may use; there are " + names(there) + ".");
    return std::make_shared<const Bound>(number, online().size() == 1);
}

}  // namespace stend::nodes
