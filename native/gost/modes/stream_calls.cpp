// The C interface of streams: what is asked is checked here.
#include <algorithm>
#include <cstring>

#include "gost/modes/clean.h"
#include "gost/modes/stream.h"

namespace stend::gost {
namespace {

bool right_iv(const Key& key, Mode mode, std::size_t size) {
    const std::size_t n = key.block();
    if (mode == Mode::ecb) return size == 0;
    if (key.legacy()) return size == n;
    if (mode == Mode::ctr) return size == n / 2 || size == n;
    return size > 0 && rest_of(size, n) == 0 && size <= most_chains * n;
}

void load_iv(Stream& stream, const void* iv, std::size_t size) {
    const Key& key = *stream.key;
    std::memset(stream.shift, 0, key.block());
    if (size) std::memcpy(stream.shift, iv, size);
    stream.chains = std::max<std::size_t>(1, blocks_in(size, key.block()));
    // RFC 5830, 6: the counter begins with the encrypted vector
    if (key.legacy() && stream.mode == Mode::ctr)
        cleanly(stack_for(key, size),
                [&] { key.engine->encrypt(key.schedule, stream.shift, stream.shift, 1); });
}

// What taking in so many bytes uses of the stack: new keys and the register of several chains are
// more than a few blocks of work.
std::size_t stack_for(const Stream& stream, std::size_t bytes) {
    const bool pieces = stream.decrypting && (stream.mode == Mode::cbc || stream.mode == Mode::cfb);
    if (pieces || stream.section || stream.chains > 1) return full_stack(*stream.key);
    return stack_for(*stream.key, bytes);
}

// A stream that may still be told options; null when not.
Stream* unused(stend_gost_stream* opaque) {
    Stream& stream = inside<Stream>(opaque);
    return stream.life == alive ? &stream : nullptr;
}

bool right_section(const Key& key, std::size_t bytes) {
    return bytes > 0 && (key.legacy() ? bytes == 1024 : rest_of(bytes, key.block()) == 0);
}

}  // namespace

// A counter that begins with half a block of its own must not run into it: 2^(n/2) blocks
// (GOST R 34.13-2015, 5.2), which for Kuznyechik are more bytes than can be counted.
std::uint64_t limit(const Key& key, Mode mode, std::size_t iv_bytes) {
    const bool half = mode == Mode::ctr && iv_bytes < key.block();
    return half && key.block() == 8 ? std::uint64_t{8} << 32 : no_limit;
}

}  // namespace stend::gost

using namespace stend::gost;

stend_gost_status stend_gost_stream_init(stend_gost_stream* opaque,
                                         const stend_gost_key* opaque_key, stend_gost_mode mode,
                                         stend_gost_direction direction, const void* iv,
                                         size_t iv_bytes) {
    Stream& stream = begun<Stream>(opaque);
    stream.life = 0;
    stream.own = 0;
    const Key* const key = made(opaque_key);
    if (!key) return STEND_GOST_FINISHED;
    if (mode < STEND_GOST_ECB || mode > STEND_GOST_CFB) return STEND_GOST_BAD_OPTION;
    if (direction != STEND_GOST_ENCRYPT && direction != STEND_GOST_DECRYPT)
        return STEND_GOST_BAD_OPTION;
    if (key->legacy() && mode == STEND_GOST_OFB) return STEND_GOST_BAD_OPTION;
    stream.mode = static_cast<Mode>(mode);
    if (!right_iv(*key, stream.mode, iv_bytes)) return STEND_GOST_BAD_IV;
    stream.key = key;
    stream.decrypting = direction == STEND_GOST_DECRYPT;
    stream.used = false;
    stream.padding = STEND_GOST_PADDING_NONE;
    stream.threads = 1;
    stream.section = stream.section_left = 0;
    stream.left = limit(*key, stream.mode, iv_bytes);
    stream.held = 0;
    load_iv(stream, iv, iv_bytes);
    stream.life = alive;
    return STEND_GOST_OK;
}

stend_gost_status stend_gost_stream_padding(stend_gost_stream* opaque, stend_gost_padding padding) {
    Stream* const stream = unused(opaque);
    if (!stream) return STEND_GOST_FINISHED;
    const bool known = padding >= STEND_GOST_PADDING_NONE && padding <= STEND_GOST_PADDING_3;
    if (stream->used || !known || (padding && !stream->by_blocks()))
        return failed(*stream, STEND_GOST_BAD_OPTION);
    stream->padding = padding;
    return STEND_GOST_OK;
}

stend_gost_status stend_gost_stream_sections(stend_gost_stream* opaque, size_t bytes) {
    Stream* const stream = unused(opaque);
    if (!stream) return STEND_GOST_FINISHED;
    const bool has =
        stream->mode == Mode::ctr || (stream->mode == Mode::cfb && stream->key->legacy());
    if (stream->used || !has) return failed(*stream, STEND_GOST_BAD_OPTION);
    if (!right_section(*stream->key, bytes)) return failed(*stream, STEND_GOST_BAD_SECTION);
    stream->section = stream->section_left = bytes;
    // Half of what CTR allows (RFC 8645, 6.2.2; R 1323565.1.017-2018, 4.1).
    if (stream->left != no_limit) stream->left /= 2;
    return STEND_GOST_OK;
}

stend_gost_status stend_gost_stream_threads(stend_gost_stream* opaque, unsigned threads) {
    Stream* const stream = unused(opaque);
    if (!stream) return STEND_GOST_FINISHED;
    if (stream->used) return failed(*stream, STEND_GOST_BAD_OPTION);
    stream->threads = threads;
    return STEND_GOST_OK;
}

size_t stend_gost_stream_room(const stend_gost_stream* opaque, size_t size) {
    const Stream& stream = inside<const Stream>(opaque);
    if (stream.life != alive) return 0;
    if (!stream.by_blocks() || size > no_limit) return size;
    return stream.held + size + stream.key->block();
}

stend_gost_status stend_gost_stream_update(stend_gost_stream* opaque, const void* in, size_t size,
                                           void* out, size_t room, size_t* written) {
    Stream& stream = inside<Stream>(opaque);
    if (written) *written = 0;
    if (stream.life != alive) return STEND_GOST_FINISHED;
    if (size == 0) return STEND_GOST_OK;
    if (size > stream.left) return failed(stream, STEND_GOST_TOO_LONG);
    const std::size_t made = comes_out(stream, size);
    if (made > room) return STEND_GOST_NO_ROOM;
    stream.used = true;
    if (stream.left != no_limit) stream.left -= size;
    cleanly(stack_for(stream, size),
            [&] { take(stream, static_cast<Bytes>(in), static_cast<Out>(out), size); });
    if (written) *written = made;
    return STEND_GOST_OK;
}

stend_gost_status stend_gost_stream_finish(stend_gost_stream* opaque, void* out, size_t room,
                                           size_t* written) {
    Stream& stream = inside<Stream>(opaque);
    if (written) *written = 0;
    if (stream.life != alive) return STEND_GOST_FINISHED;
    std::size_t made = 0;
    Status status = STEND_GOST_OK;
    if (stream.by_blocks())
        cleanly(stack_for(stream, 0),
                [&] { status = finish_blocks(stream, static_cast<Out>(out), room, made); });
    if (status == STEND_GOST_NO_ROOM) return status;
    stream.end();
    if (written) *written = made;
    return status;
}

void stend_gost_stream_wipe(stend_gost_stream* opaque) {
    inside<Stream>(opaque).end();
}
