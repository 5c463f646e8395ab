// The comparison of what a block holds with what it must hold.
#include "kernels/memory/contents.h"

#include <stdexcept>
#include <string>

namespace stend::memory {

// Without a branch, so that the compiler makes vectors of it.
bool all_right(std::span<const Word> words, Word first, Word step) {
    Word differing = 0;
    for (std::size_t i = 0; i < words.size(); ++i) differing |= words[i] ^ (first + i * step);
    return differing == 0;
}

std::size_t first_wrong(std::span<const Word> words, Word first, Word step) {
    if (all_right(words, first, step)) return words.size();
    for (std::size_t i = 0; i < words.size(); ++i)
        if (words[i] != first + i * step) return i;
    return 0;
}

void require_whole_lines(std::size_t block_bytes) {
    if (block_bytes == 0 || block_bytes % line != 0)
        throw std::invalid_argument("A block is made of whole cache lines of 64 bytes; " +
                                    std::to_string(block_bytes) +
                                    " bytes are not, so ask for a multiple of 64.");
}

}  // namespace stend::memory
