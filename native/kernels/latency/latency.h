// What a load from memory takes. Comes in: how many bytes, in which pages, beside whom; goes
// out: a kernel of dependent loads, each of which waits for the one before it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "kernel.h"
#include "nodes/node.h"

namespace stend::latency {

enum class Pages { normal, huge, huge_if_any };

// "normal" or "huge". Throws std::invalid_argument for an unknown name.
Pages pages(std::string_view name);

// One execution is one load, on the first usable CPU: the next line of a random cycle through
// all 64-byte lines of `bytes`. Throws std::invalid_argument unless those are whole lines, at
// least 2 and at most 2^32; prepare() throws OutOfMemory, and Unavailable when the pages are
// not as asked for.
std::unique_ptr<Kernel> chase(std::size_t bytes, Pages pages);

// The same on the first CPU of `thread`, through memory of `memory`, in huge pages where the system
// gives them; about() says whether it did. Throws besides, and prepare() does, Unavailable when
// the memory can't be bound or is then found elsewhere.
std::unique_ptr<Kernel> chase_on(std::size_t bytes, const nodes::Home& thread, nodes::Home memory);

// The same in huge pages on the first of `cpus`, through half of `bytes`, while each other CPU
// reads its share of the other half line by line and spins `delay` times between two. One
// observation is the mean of a few thousand loads, s; beside it "injected B/s" is what the
// others read in that time, together. Throws as chase() does, and std::invalid_argument for
// fewer than two CPUs, less than 512 bytes for each reader, or no multiple of 128 bytes.
std::unique_ptr<Kernel> loaded(std::size_t bytes, std::uint64_t delay, std::vector<int> cpus);

}  // namespace stend::latency
