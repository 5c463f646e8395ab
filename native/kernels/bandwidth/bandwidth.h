// Reading, writing and copying a piece of memory again and again, small enough for a cache or
// not. Comes in: its size, which CPUs; goes out: a kernel whose one execution goes over all of
// it passes() times, each thread over a part of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernel.h"
#include "nodes/node.h"

namespace stend::bandwidth {

using Word = std::uint64_t;
inline constexpr std::size_t line = 8;  // words in a cache line

// Whole cache lines: `words` is a multiple of 8 and each pointer begins one. All passes are
// made, one after another.

// Gives the exclusive or of all words, added up over the passes, modulo 2^64.
using Read = Word (*)(const Word* from, std::size_t words, std::uint64_t passes) noexcept;
// Pass p, from 0, writes seed + p + i into word i.
using Write = void (*)(Word* to, std::size_t words, Word seed, std::uint64_t passes) noexcept;
using Copy = void (*)(Word* to, const Word* from, std::size_t words, std::uint64_t passes) noexcept;

// Slowest first, from a cache; the last available one is the default.
std::span<const Variant<Read>> read_variants();
std::span<const Variant<Write>> write_variants();
std::span<const Variant<Copy>> copy_variants();

// How often one execution goes over `bytes` of memory: as often as each thread needs to move
// 16 MiB, beside which the meeting of the threads, about a microsecond, does not count.
std::uint64_t passes(std::size_t bytes, unsigned threads);

// One thread on each of `cpus`, the calling one on the first. `bytes` is what all of them
// touch; for copy, half is read and half written. One execution moves bytes · passes(). Throws
// std::invalid_argument unless there is a whole 64-byte line (copy: two) for each thread;
// prepare() throws OutOfMemory, and std::invalid_argument for a CPU that may not be used.
std::unique_ptr<Kernel> read(std::size_t bytes, std::vector<int> cpus,
                             const Variant<Read>& variant);
std::unique_ptr<Kernel> write(std::size_t bytes, std::vector<int> cpus,
                              const Variant<Write>& variant);
std::unique_ptr<Kernel> copy(std::size_t bytes, std::vector<int> cpus,
                             const Variant<Copy>& variant);

// The same by one thread on the first CPU of `from`, whose memory holds the half that is read;
// the half that is written lies in memory of `to`. Throws besides, and prepare() does, Unavailable
// when the memory can't be bound or is then found elsewhere.
std::unique_ptr<Kernel> copy_between(std::size_t bytes, nodes::Home from, nodes::Home to,
                                     const Variant<Copy>& variant);

}  // namespace stend::bandwidth
