// The ciphers as work to be measured: messages encrypted through the public interface, in place
// unless the mode says otherwise. Comes in: cipher, mode, how long a message, how far off a cache
// line, on which CPUs, by which variant; goes out: a kernel whose one repetition is one message a
// thread, with the key ready.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "kernel.h"
#include "stend/gost.h"

namespace stend::ciphers {

// One thread's key, and the contexts that its messages pass through.
struct Worker {
    stend_gost_key key;
    stend_gost_stream stream;
    stend_gost_mac mac;
    std::size_t block;
};

// One message under the nonce `number`; false when the library refuses it.
using Encrypt = bool (*)(Worker&, std::uint64_t number, const std::uint8_t* from, std::uint8_t* to,
                         std::size_t size);

struct Mode {
    std::string_view name;
    Encrypt encrypt;
    bool in_place = true;  // `to` is `from`; else another buffer, to and fro
};

// ecb, ecb-decrypt, ecb-out-of-place, ctr, mgm, mgm-decrypt, cbc, cbc-decrypt, omac.
std::span<const Mode> modes();

// These throw std::invalid_argument for another name, with the known ones.
const Mode& mode(std::string_view name);
stend_gost_cipher cipher(std::string_view name);

// `size` bytes a message, which begins `offset` bytes after a 64-byte line. Throws
// std::invalid_argument for an unknown variant or one that can't run here, for an offset of 64 and
// more, and for a size that is no whole number of blocks; prepare() throws OutOfMemory.
std::unique_ptr<Kernel> kernel(stend_gost_cipher cipher, const Mode& mode, std::size_t size,
                               std::size_t offset, std::vector<int> cpus, std::string_view variant);

}  // namespace stend::ciphers
