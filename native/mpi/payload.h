// What messages carry: contents that follow from a seed and the repetition's number, so that
// the receiver can tell what must have arrived, and nothing left over from before can pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace stend::mpi {

// How much of a message is made anew and compared: a few words that change places from one
// repetition to the next, or all of it. Few, because a receiver that reads the sender's memory
// itself pays for every line that was written since: 64 of them would cost 10% at 64 KiB.
enum class Extent { words, whole };

// Memory that begins on a page; freed by itself. Throws std::bad_alloc.
struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
};
using Memory = std::unique_ptr<std::byte[], Free>;
Memory memory(std::size_t bytes);

// Makes the message's contents of that number, or those of their words that change.
void fill(std::byte* message, std::size_t bytes, std::uint64_t seed, std::uint64_t number,
          Extent extent);

// Whether they are there.
bool holds(const std::byte* message, std::size_t bytes, std::uint64_t seed, std::uint64_t number,
           Extent extent);

}  // namespace stend::mpi
