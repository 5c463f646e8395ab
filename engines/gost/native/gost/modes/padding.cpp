// The last block: padding procedures 1 to 3 (GOST R 34.13-2015, 4.1).
#include <cstring>

#include "gost/modes/stream.h"
#include "gost/modes/verdict.h"

namespace stend::gost {
namespace {

struct Block {
    std::uint8_t bytes[largest_block];
};

bool pads(const Stream& stream) {
    switch (stream.padding) {
        case STEND_GOST_PADDING_1:
            return stream.held > 0;
        case STEND_GOST_PADDING_2:
            return true;
        case STEND_GOST_PADDING_3:
            return stream.held > 0 || !stream.used;
        default:
            return false;
    }
}

void pad(Stream& stream) {
    const std::size_t n = stream.key->block();
    std::memset(stream.block + stream.held, 0, n - stream.held);
    if (stream.padding != STEND_GOST_PADDING_1) stream.block[stream.held] = 0x80;
    stream.held = n;
}

// How many bytes stand before the padding 10…0; n when there is none. The time doesn't tell.
std::size_t unpadded(const std::uint8_t* block, std::size_t n) {
    std::size_t found = n, zeros = ~std::size_t{0};  // all ones while only zeros were seen
    for (std::size_t i = n; i-- > 0;) {
        const std::size_t x = block[i];
        const std::size_t is_mark = ((x ^ 0x80) - 1) >> 8 & zeros;
        const std::size_t is_zero = (x - 1) >> 8;
        const std::size_t mark = 0 - (is_mark & 1);
        found = (found & ~mark) | (i & mark);
        zeros &= 0 - (is_zero & 1);
    }
    return found;
}

Status take_off(Stream& stream, Out out, std::size_t room, std::size_t& written) {
    const std::size_t n = stream.key->block();
    if (stream.held != n) return STEND_GOST_PARTIAL;
    if (room < n - 1) return STEND_GOST_NO_ROOM;
    Wiped<Block> block;
    whole_blocks(stream, stream.block, block.value.bytes, 1);
    // Whether there is padding, and how much, the caller is told; passed on it makes a
    // padding oracle. Nothing else of the block is told.
    const std::size_t size = verdict(unpadded(block.value.bytes, n));
    if (size == n) return STEND_GOST_BAD_PADDING;
    if (size) std::memcpy(out, block.value.bytes, size);
    written = size;
    return STEND_GOST_OK;
}

}  // namespace

Status finish_blocks(Stream& stream, Out out, std::size_t room, std::size_t& written) {
    const std::size_t n = stream.key->block();
    if (stream.decrypting && stream.padding == STEND_GOST_PADDING_2)
        return take_off(stream, out, room, written);
    if (stream.decrypting || !pads(stream)) return stream.held ? STEND_GOST_PARTIAL : STEND_GOST_OK;
    if (room < n) return STEND_GOST_NO_ROOM;
    pad(stream);
    whole_blocks(stream, stream.block, out, 1);
    written = n;
    return STEND_GOST_OK;
}

}  // namespace stend::gost
