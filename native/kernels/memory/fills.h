// The fills of every variant; variants.cpp lists them.
#pragma once

#include "kernels/memory/write.h"

namespace stend::memory {

void plain(std::span<std::uint64_t> block, std::uint64_t seed) noexcept;
#if defined(__x86_64__)
void nontemporal_sse2(std::span<std::uint64_t> block, std::uint64_t seed) noexcept;
#endif

}  // namespace stend::memory
