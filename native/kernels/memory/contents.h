// What a block holds: words that count up from a seed. Seeds are far apart, so that a word of
// one block or repetition can't stand for a word of another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace stend::memory {

using Word = std::uint64_t;

inline constexpr std::size_t line = 64;                // bytes of a cache line
inline constexpr Word far_apart = 0x9E3779B97F4A7C15;  // 2^64 / golden ratio

// Whether word i is first + i·step for every i.
bool all_right(std::span<const Word> words, Word first, Word step);

// The first word that is not, or how many there are. When all read right now, but read wrong
// before, it is word 0: memory that can't be trusted.
std::size_t first_wrong(std::span<const Word> words, Word first, Word step);

// Throws std::invalid_argument for a block that is empty or not made of whole cache lines.
void require_whole_lines(std::size_t block_bytes);

}  // namespace stend::memory
