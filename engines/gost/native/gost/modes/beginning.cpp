// How a message begins: what may be asked for, and its counter or register.
#include <algorithm>

#include "gost/modes/iv.h"
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

}  // namespace

// A counter that begins with half a block of its own must not run into it: 2^(n/2) blocks
// (GOST R 34.13-2015, 5.2), which for Kuznyechik are more bytes than can be counted.
std::uint64_t limit(const Key& key, Mode mode, std::size_t iv_bytes) {
    const bool half = mode == Mode::ctr && iv_bytes < key.block();
    return half && key.block() == 8 ? std::uint64_t{8} << 32 : no_limit;
}

Status objection(const Key* key, stend_gost_mode mode, stend_gost_direction direction,
                 std::size_t iv_bytes) {
    if (!key) return STEND_GOST_FINISHED;
    if (mode < STEND_GOST_ECB || mode > STEND_GOST_CFB) return STEND_GOST_BAD_OPTION;
    if (direction != STEND_GOST_ENCRYPT && direction != STEND_GOST_DECRYPT)
        return STEND_GOST_BAD_OPTION;
    if (key->legacy() && mode == STEND_GOST_OFB) return STEND_GOST_BAD_OPTION;
    return right_iv(*key, static_cast<Mode>(mode), iv_bytes) ? STEND_GOST_OK : STEND_GOST_BAD_IV;
}

void begin(Stream& stream, const Key& key, Mode mode, bool decrypting, const void* iv,
           std::size_t iv_bytes) {
    stream.mode = mode;
    stream.decrypting = decrypting;
    stream.used = false;
    stream.own = 0;
    stream.padding = STEND_GOST_PADDING_NONE;
    stream.threads = 1;
    stream.key = &key;
    stream.section = stream.section_left = 0;
    stream.left = limit(key, mode, iv_bytes);
    stream.chains = std::max<std::size_t>(1, blocks_in(iv_bytes, key.block()));
    stream.held = 0;
    load_iv(stream.shift, iv, iv_bytes);
}

void encrypt_counter(Stream& stream) {
    stream.key->engine->encrypt(stream.key->schedule, stream.shift, stream.shift, 1);
}

}  // namespace stend::gost
