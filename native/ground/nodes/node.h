// The machine's memory nodes (NUMA): memory bound to one of them, threads beside it, and where
// pages really lie. Comes in: a node's number; goes out: the node, or a sentence why nothing can
// be bound to it.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "kernel.h"

namespace stend::nodes {

class Node {
public:
    Node() = default;
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;
    virtual ~Node() = default;

    // The first of its CPUs that the calling thread may use. Throws Unavailable when there is none.
    virtual int cpu() const = 0;

    // To be called before anything is touched: these pages are to lie on this node, come what
    // may. Throws Unavailable when the system refuses that.
    virtual void bind(std::span<std::byte> pages) const = 0;

    // To be called when all was touched: do all these pages lie on this node? Throws Unavailable
    // when the system does not tell.
    virtual Proof holds(std::span<const std::byte> pages) const = 0;
};

using Home = std::shared_ptr<const Node>;

// The node that the OS calls by that number. Throws Unavailable when there is none that this
// process may use.
Home node(int number);

// Throws Unavailable, with what was found, when not all these pages lie on the node.
inline void require(const Node& node, std::span<const std::byte> pages) {
    if (const Proof proof = node.holds(pages); !proof.right) throw Unavailable(proof.said);
}

}  // namespace stend::nodes
