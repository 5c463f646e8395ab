// Writing memory in blocks (Golenkov et al. 2015): one thread fills blocks of a region in
// order and begins again behind the last. Comes in: the sizes; goes out: a kernel whose one
// repetition writes the next block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "kernel.h"

namespace stend::memory {

// Writes seed, seed + 1, seed + 2, … (modulo 2^64) into the block, which begins at a cache
// line and is made of whole ones.
using Fill = void (*)(std::span<std::uint64_t> block, std::uint64_t seed) noexcept;

// Slowest first; the last available one is the default.
std::span<const Variant<Fill>> write_variants();

// What is left of the region behind its last whole block is never written. Throws
// std::invalid_argument for a block that is empty, larger than the region or not made of
// whole 64-byte lines; prepare() throws OutOfMemory.
std::unique_ptr<Kernel> write(std::size_t block_bytes, std::size_t region_bytes,
                              const Variant<Fill>& variant);

}  // namespace stend::memory
