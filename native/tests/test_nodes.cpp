// Memory lies where it was bound to, which is asked of the kernel page by page; where nothing can
// be bound, a sentence says why. The nodes of the machine that runs this: one, mostly.
#include <cstring>

#include "buffers/buffer.h"
#include "check.h"
#include "nodes/node.h"
#include "team/seat.h"

using namespace stend;

namespace {

std::string refused(int number) {
    try {
        nodes::node(number);
    } catch (const Unavailable& error) {
        return error.what();
    }
    return "";
}

bool says(const std::string& text, const char* what) {
    return text.find(what) != std::string::npos;
}

// A container and qemu-user may refuse to bind and to tell; on one node that does not matter.
bool nothing_is_told(const Proof& proof) {
    return proof.right && says(proof.said, "no memory but that of node ");
}

// Nodes of this machine, by number, whatever they are called.
template <typename Work>
void on_every_node(Work work) {
    int met = 0;
    for (int number = 0; number < 16; ++number) try {
            work(nodes::node(number));
            ++met;
        } catch (const Unavailable&) {
        }
    CHECK(met > 0);
}

void bound_memory_lies_on_its_node() {
    on_every_node([](const nodes::Home& node) {
        for (const std::size_t bytes : {std::size_t{1}, std::size_t{100'000}, 3 * huge_page}) {
            const Buffer<std::byte> memory(bytes);
            node->bind(memory.span());
            std::ranges::fill(memory.span(), std::byte{1});
            const Proof proof = node->holds(memory.span());
            CHECK(nothing_is_told(proof) ||
                  (proof.right && says(proof.said, "all ") && says(proof.said, " lie on node ")));
            nodes::require(*node, memory.span());
        }
    });
}

void memory_that_was_never_touched_is_nowhere() {
    const Buffer<std::byte> memory(10 * 4096);
    std::memset(memory.data(), 1, 4096);
    on_every_node([&](const nodes::Home& node) {
        const Proof proof = node->holds(memory.span());
        if (nothing_is_told(proof)) return;
        CHECK(!proof.right && says(proof.said, "in no memory at all"));
        CHECK_THROWS(Unavailable, nodes::require(*node, memory.span()));
    });
}

void its_cpu_may_be_used() {
    bool some = false;
    on_every_node([&](const nodes::Home& node) {
        try {
            sit(node->cpu());
            some = true;
        } catch (const Unavailable& error) {
            CHECK(says(error.what(), "may use no CPU"));
        }
    });
    CHECK(some);
}

void a_node_that_is_not_there_is_named_beside_those_that_are() {
    CHECK(says(refused(4095), "no memory node 4095 that this process may use; there are "));
    CHECK(says(refused(-1), "no memory node -1"));
}

}  // namespace

int main() {
    bound_memory_lies_on_its_node();
    memory_that_was_never_touched_is_nowhere();
    its_cpu_may_be_used();
    a_node_that_is_not_there_is_named_beside_those_that_are();
}
