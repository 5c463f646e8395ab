// The C interface of streams: what is asked is checked here.
#include <cstring>

#include "gost/modes/clean.h"
#include "gost/modes/stream.h"

namespace stend::gost {
namespace {

// What taking in so many bytes uses of the stack: new keys and the register of several chains are
// more than a few blocks of work.
std::size_t stack_for(const Stream& stream, std::size_t bytes) {
    if (stream.section || stream.chains > 1) return full_stack(*stream.key);
    return stack_for(*stream.key, bytes);
}

// A stream that may still be told options; null when not.
Stream* unused(stend_gost_stream* opaque) {
    Stream& stream = inside<SectionedStream>(opaque);
    return stream.life == alive ? &stream : nullptr;
}

bool right_section(const Key& key, std::size_t bytes) {
    return bytes > 0 && (key.legacy() ? bytes == 1024 : rest_of(bytes, key.block()) == 0);
}

}  // namespace

}  // namespace stend::gost

using namespace stend::gost;

stend_gost_status stend_gost_stream_init(stend_gost_stream* opaque,
                                         const stend_gost_key* opaque_key, stend_gost_mode mode,
                                         stend_gost_direction direction, const void* iv,
                                         size_t iv_bytes) {
    SectionedStream& stream = begun<SectionedStream>(opaque);
    stream.life = 0;
    stream.own = 0;
    const Key* const key = made(opaque_key);
    const Status status = objection(key, mode, direction, iv_bytes);
    if (status != STEND_GOST_OK) return status;
    begin(stream, *key, static_cast<Mode>(mode), direction == STEND_GOST_DECRYPT, iv, iv_bytes);
    if (stream.counter_is_encrypted())
        cleanly(*key->engine, stack_for(stream, iv_bytes), [&] { encrypt_counter(stream); });
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
    const Stream& stream = inside<const SectionedStream>(opaque);
    if (stream.life != alive) return 0;
    if (!stream.by_blocks() || size > no_limit) return size;
    return stream.held + size + stream.key->block();
}

size_t stend_gost_stream_update_size(const stend_gost_stream* opaque, size_t size) {
    const Stream& stream = inside<const SectionedStream>(opaque);
    return stream.life == alive ? comes_out(stream, size) : 0;
}

stend_gost_status stend_gost_stream_update(stend_gost_stream* opaque, const void* in, size_t size,
                                           void* out, size_t room, size_t* written) {
    Stream& stream = inside<SectionedStream>(opaque);
    if (written) *written = 0;
    if (stream.life != alive) return STEND_GOST_FINISHED;
    if (size == 0) return STEND_GOST_OK;
    if (size > stream.left) return failed(stream, STEND_GOST_TOO_LONG);
    const std::size_t made = comes_out(stream, size);
    if (made > room) return STEND_GOST_NO_ROOM;
    stream.used = true;
    if (stream.left != no_limit) stream.left -= size;
    cleanly(*stream.key->engine, stack_for(stream, size),
            [&] { take(stream, static_cast<Bytes>(in), static_cast<Out>(out), size); });
    if (written) *written = made;
    return STEND_GOST_OK;
}

stend_gost_status stend_gost_stream_finish(stend_gost_stream* opaque, void* out, size_t room,
                                           size_t* written) {
    Stream& stream = inside<SectionedStream>(opaque);
    if (written) *written = 0;
    if (stream.life != alive) return STEND_GOST_FINISHED;
    std::size_t made = 0;
    Status status = STEND_GOST_OK;
    const auto finish = [&] { status = finish_blocks(stream, static_cast<Out>(out), room, made); };
    if (stream.padding)
        cleanly(*stream.key->engine, stack_for(stream, 0), finish);
    else if (stream.by_blocks())
        finish();  // which works on nothing
    if (status == STEND_GOST_NO_ROOM) return status;
    stream.end();
    if (written) *written = made;
    return status;
}

void stend_gost_stream_wipe(stend_gost_stream* opaque) {
    inside<SectionedStream>(opaque).end();
}
