// A random cycle through all cache lines of a piece of memory. Comes in: its size and the
// pages it has to lie in; goes out: lines, each of which holds the address of the next, and
// where one stands after any number of hops.
#pragma once

#include <cstdint>
#include <string>

#include "buffers/buffer.h"
#include "kernels/latency/latency.h"

namespace stend::latency {

// 64 bytes on nearly all processors. Where lines are longer, two of these lie in one line, and
// a random cycle seldom meets the second before the first was evicted.
struct alignas(64) Line {
    const Line* next;
};

class Chain {
public:
    Chain() = default;
    // Its lines lie on that node, or else where the calling thread's first touch places them.
    // Throws OutOfMemory, and Unavailable when the pages are not as asked for.
    Chain(std::size_t lines, Pages pages, const nodes::Node* node = nullptr);

    const Line* after(std::uint64_t hops) const {
        return lines_.data() + order_.data()[hops % size()];
    }
    std::size_t size() const { return order_.span().size(); }
    std::span<const std::byte> memory() const { return std::as_bytes(lines_.span()); }
    bool in_huge_pages() const { return huge_; }

    // What is wrong with the cycle, a sentence; empty when it leads through every line once.
    std::string fault() const;

private:
    void shuffle();
    void link();

    // The cycle is the only memory that a chase touches. The order, a sixteenth of it, is for
    // those who check where it ended.
    Buffer<Line> lines_;
    Buffer<std::uint32_t> order_;
    bool huge_ = false;
};

// How many lines of so many bytes a cycle goes through: an odd number, so the last one may be
// left out. The batches of a calibration are powers of two; a cycle that such a batch goes
// round a whole number of times would end in the same place had the batch been left out.
std::size_t cycle_lines(std::size_t bytes);

// Throws std::invalid_argument when a cycle can't have so many bytes.
void require_lines(std::size_t bytes);

}  // namespace stend::latency
