// The whole system of a virtual machine with four memory nodes, as its first process: binds, copies
// and chases on every pair of them, and says what came of it. tests/native/several_nodes.sh starts
// it; nodes 0 and 1 have CPUs and memory, 2 CPUs
// alone, 3 memory alone, whose nearest CPUs are those of node 0.
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "buffers/buffer.h"
#include "check.h"
#include "kernels/bandwidth/bandwidth.h"
#include "kernels/latency/latency.h"
#include "nodes/node.h"
#include "team/seat.h"

using namespace stend;

namespace {

constexpr std::size_t bytes = std::size_t{16} << 20;

void mount_the_kernels_files() {
    mkdir("/proc", 0755);
    mkdir("/sys", 0755);
    CHECK(mount("proc", "/proc", "proc", 0, nullptr) == 0);
    CHECK(mount("sysfs", "/sys", "sysfs", 0, nullptr) == 0);
}

// What it proves after two executions, or why it can't be measured.
template <typename Make>
std::string told(Make make) {
    try {
        const std::unique_ptr<Kernel> made = make();
        made->prepare();
        made->repeat(2);
        CHECK(made->check());
        const Proof proof = made->prove();
        CHECK(proof.right);
        return proof.said;
    } catch (const Unavailable& lacking) {
        return lacking.what();
    }
}

bool says(const std::string& text, const std::string& what) {
    return text.find(what) != std::string::npos;
}

std::string lie_on(int node) {
    return " pages lie on node " + std::to_string(node);
}

void every_pair_is_measured_or_told_of(int node, int memory) {
    const std::string copied = told([&] {
        return bandwidth::copy_between(bytes, nodes::node(node), nodes::node(memory),
                                       bandwidth::copy_variants().front());
    });
    const std::string chased =
        told([&] { return latency::chase_on(bytes, nodes::node(node), nodes::node(memory)); });
    std::printf("%d -> %d\n  %s\n  %s\n", node, memory, copied.c_str(), chased.c_str());
    const bool no_target = memory == 2, no_source = node == 2;
    CHECK(says(chased, no_target ? "Node 2 has no memory" : lie_on(memory)));
    CHECK(says(copied, no_target || no_source ? "Node 2 has no memory" : lie_on(node)));
    CHECK(no_target || no_source || says(copied, "; of the target, all 2048" + lie_on(memory)));
}

void memory_of_one_node_is_not_on_another() {
    const Buffer<std::byte> memory(bytes);
    nodes::node(0)->bind(memory.span());
    std::memset(memory.data(), 1, bytes);
    CHECK(nodes::node(0)->holds(memory.span()).right);
    const Proof other = nodes::node(1)->holds(memory.span());
    std::printf("%s\n", other.said.c_str());
    CHECK(!other.right && says(other.said, "4096 of 4096 pages do not lie on node 1"));
}

// Where binding is left out, memory lies beside whoever touched it.
void a_thread_sits_on_the_node_it_was_sent_to() {
    for (const int node : {0, 1}) {
        const Seat seat = sit(nodes::node(node)->cpu());
        const Buffer<std::byte> memory(bytes);
        std::memset(memory.data(), 1, bytes);
        CHECK(nodes::node(node)->holds(memory.span()).right);
        CHECK(!nodes::node(1 - node)->holds(memory.span()).right);
    }
}

}  // namespace

int main() {
    if (getpid() != 1) return std::fprintf(stderr, "several_nodes.sh starts this\n"), 2;
    mount_the_kernels_files();
    for (const int node : {0, 1, 2, 3})
        for (const int memory : {0, 1, 2, 3}) every_pair_is_measured_or_told_of(node, memory);
    memory_of_one_node_is_not_on_another();
    a_thread_sits_on_the_node_it_was_sent_to();
    std::puts("several nodes: ok");
    std::fflush(stdout);
    reboot(RB_POWER_OFF);
}
