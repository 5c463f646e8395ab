// Ordinary stores, vectorised by the compiler.
#include "kernels/memory/fills.h"

namespace stend::memory {

void plain(std::span<std::uint64_t> block, std::uint64_t seed) noexcept {
    for (std::size_t i = 0; i < block.size(); ++i) block[i] = seed + i;
}

}  // namespace stend::memory
