// On which memory node each page of a piece of memory lies, asked of the kernel itself.
#pragma once

#include <cstddef>
#include <span>

namespace stend::nodes {

struct Whereabouts {
    std::size_t pages = 0;
    std::size_t elsewhere = 0;  // not on the node in question
    std::size_t nowhere = 0;    // of those, in no memory at all: untouched, or swapped out
    int error = 0;              // errno when the kernel does not tell; nothing else is then known
};

Whereabouts whereabouts(std::span<const std::byte> pages, int node);

}  // namespace stend::nodes
