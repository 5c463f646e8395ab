// Writing memory by several threads at the same time (Golenkov et al. 2015): each fills a
// block of its own. Comes in: how large, how many, on which CPUs; goes out: a kernel whose one
// repetition fills every thread's block once.
#pragma once

#include "kernels/memory/write.h"

namespace stend::memory {

// Where the threads are: wherever the system puts them; one on a CPU, dealt round the sockets;
// one on a CPU, one socket's cores before the next one's.
enum class Affinity { none, scatter, compact };

// Throws std::invalid_argument for an unknown name.
Affinity affinity(std::string_view name);

// Throws std::invalid_argument for no threads, more than there are CPUs, and a block that is
// empty or not made of whole 64-byte lines; prepare() throws OutOfMemory.
std::unique_ptr<Kernel> write_parallel(std::size_t block_bytes, unsigned threads, Affinity affinity,
                                       const Variant<Fill>& variant);

}  // namespace stend::memory
