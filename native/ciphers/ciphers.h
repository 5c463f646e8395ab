// The ciphers as work to be measured: messages encrypted in place through the public interface.
// Comes in: cipher, mode, how long a message, how far off a cache line, on which CPUs, by which
// variant; goes out: a kernel whose one repetition is one message a thread, with the key ready.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "kernel.h"
#include "stend/gost.h"

namespace stend::ciphers {

// "kuznyechik" or "magma"; throws std::invalid_argument for another name.
stend_gost_cipher cipher(std::string_view name);

// "ecb", "ecb-decrypt", "ctr", "mgm", "mgm-decrypt", "cbc", "cbc-decrypt", "omac".
std::vector<std::string_view> measured_modes();

// `size` bytes a message, which begins `offset` bytes after a 64-byte line. Throws
// std::invalid_argument for an unknown mode or variant, for an offset of 64 and more, and for a
// size that is no whole number of blocks; prepare() throws OutOfMemory.
std::unique_ptr<Kernel> kernel(stend_gost_cipher cipher, std::string_view mode, std::size_t size,
                               std::size_t offset, std::vector<int> cpus, std::string_view variant);

}  // namespace stend::ciphers
