// A whole message in one call. What is remembered of it lives on the stack and is overwritten
// there.
#include "gost/modes/clean.h"
#include "gost/modes/iv.h"
#include "gost/modes/stream.h"

namespace stend::gost {
namespace {

// Most messages: whole blocks, and a register of one block, which alone is to be remembered.
void in_blocks(const Key& key, Mode mode, bool decrypting, const void* iv, std::size_t iv_bytes,
               Bytes in, Out out, std::size_t blocks) {
    alignas(16) std::uint8_t shift[largest_block];
    load_iv(shift, iv, iv_bytes);
    // RFC 5830, 6: the counter begins with the encrypted vector
    if (mode == Mode::ctr && key.legacy()) key.engine->encrypt(key.schedule, shift, shift, 1);
    one_register(key, key.schedule, mode, decrypting, shift, in, out, blocks);
}

void in_a_stream(const Key& key, Mode mode, bool decrypting, const void* iv, std::size_t iv_bytes,
                 Bytes in, Out out, std::size_t size) {
    Stream stream;
    begin(stream, key, mode, decrypting, iv, iv_bytes);
    if (stream.counter_is_encrypted()) encrypt_counter(stream);
    take(stream, in, out, size);
}

}  // namespace
}  // namespace stend::gost

using namespace stend::gost;

stend_gost_status stend_gost_crypt(const stend_gost_key* opaque, stend_gost_mode asked,
                                   stend_gost_direction direction, const void* iv, size_t iv_bytes,
                                   const void* in, size_t size, void* out) {
    const Key* const key = made(opaque);
    const Status status = objection(key, asked, direction, iv_bytes);
    if (status != STEND_GOST_OK) return status;
    const std::size_t n = key->block();
    const auto mode = static_cast<Mode>(asked);
    const bool whole = rest_of(size, n) == 0, decrypting = direction == STEND_GOST_DECRYPT;
    if (!whole && (mode == Mode::ecb || mode == Mode::cbc)) return STEND_GOST_PARTIAL;
    if (size > limit(*key, mode, iv_bytes)) return STEND_GOST_TOO_LONG;
    if (size == 0) return STEND_GOST_OK;
    const auto from = static_cast<Bytes>(in);
    const auto to = static_cast<Out>(out);
    if (whole && iv_bytes <= n) {
        cleanly(*key->engine, stack_for(*key, size), [=] {
            in_blocks(*key, mode, decrypting, iv, iv_bytes, from, to, blocks_in(size, n));
        });
    } else {
        const std::size_t stack = iv_bytes > n ? full_stack(*key) : stack_for(*key, size);
        cleanly(*key->engine, stack + sizeof(Stream),
                [=] { in_a_stream(*key, mode, decrypting, iv, iv_bytes, from, to, size); });
    }
    return STEND_GOST_OK;
}
