// A whole message in one call: its stream lives on the stack and is overwritten with it.
#include "gost/modes/clean.h"
#include "gost/modes/stream.h"

using namespace stend::gost;

stend_gost_status stend_gost_crypt(const stend_gost_key* opaque, stend_gost_mode mode,
                                   stend_gost_direction direction, const void* iv, size_t iv_bytes,
                                   const void* in, size_t size, void* out) {
    const Key* const key = made(opaque);
    const Status status = objection(key, mode, direction, iv_bytes);
    if (status != STEND_GOST_OK) return status;
    const bool whole = rest_of(size, key->block()) == 0;
    if (!whole && (mode == STEND_GOST_ECB || mode == STEND_GOST_CBC)) return STEND_GOST_PARTIAL;
    if (size > limit(*key, static_cast<Mode>(mode), iv_bytes)) return STEND_GOST_TOO_LONG;
    if (size == 0) return STEND_GOST_OK;
    const std::size_t stack = iv_bytes > key->block() ? full_stack(*key) : stack_for(*key, size);
    cleanly(*key->engine, stack + sizeof(Stream), [&] {
        Stream stream;
        begin(stream, *key, static_cast<Mode>(mode), direction == STEND_GOST_DECRYPT, iv, iv_bytes);
        if (stream.counter_is_encrypted()) encrypt_counter(stream);
        if (whole)
            whole_blocks(stream, static_cast<Bytes>(in), static_cast<Out>(out),
                         blocks_in(size, key->block()));
        else
            take(stream, static_cast<Bytes>(in), static_cast<Out>(out), size);
    });
    return STEND_GOST_OK;
}
