// KExp15 and KImp15 (R 1323565.1.017-2018, section 5; RFC 9189, 8.2.1): a key and its OMAC,
// encrypted together in CTR.
#include <cstring>

#include "gost/modes/bytes.h"
#include "gost/modes/mac.h"
#include "gost/modes/stream.h"

namespace stend::gost {
namespace {

struct Memory {
    stend_gost_mac mac;
    stend_gost_stream stream;
    std::uint8_t tag[largest_block];
};

// `size` is the key's without its tag.
Status objection(const Key* mac_key, const Key* cipher_key, std::size_t iv_bytes,
                 std::size_t size) {
    if (!mac_key || !cipher_key) return STEND_GOST_FINISHED;
    if (cipher_key->legacy() || mac_key->cipher != cipher_key->cipher) return STEND_GOST_BAD_CIPHER;
    const std::size_t n = cipher_key->block();
    if (iv_bytes != n / 2) return STEND_GOST_BAD_IV;
    return size <= limit(*cipher_key, Mode::ctr, iv_bytes) - n ? STEND_GOST_OK
                                                               : STEND_GOST_TOO_LONG;
}

// OMAC(iv | key)
void authenticate(stend_gost_mac& mac, const stend_gost_key* mac_key, const void* iv,
                  std::size_t iv_bytes, const void* key, std::size_t size) {
    stend_gost_mac_init(&mac, mac_key);
    stend_gost_mac_update(&mac, iv, iv_bytes);
    stend_gost_mac_update(&mac, key, size);
}

}  // namespace
}  // namespace stend::gost

using namespace stend::gost;

stend_gost_status stend_gost_kexp15(const stend_gost_key* mac_key, const stend_gost_key* cipher_key,
                                    const void* iv, size_t iv_bytes, const void* key, size_t size,
                                    void* out) {
    const Status status = objection(made(mac_key), made(cipher_key), iv_bytes, size);
    if (status != STEND_GOST_OK) return status;
    const std::size_t n = made(cipher_key)->block();
    Memory memory;
    authenticate(memory.mac, mac_key, iv, iv_bytes, key, size);
    stend_gost_mac_finish(&memory.mac, memory.tag, n);
    stend_gost_stream_init(&memory.stream, cipher_key, STEND_GOST_CTR, STEND_GOST_ENCRYPT, iv,
                           iv_bytes);
    const Out tag = static_cast<Out>(out) + size;
    stend_gost_stream_update(&memory.stream, key, size, out, size, nullptr);
    stend_gost_stream_update(&memory.stream, memory.tag, n, tag, n, nullptr);
    stend_gost_stream_wipe(&memory.stream);
    wipe(memory.tag);
    return STEND_GOST_OK;
}

stend_gost_status stend_gost_kimp15(const stend_gost_key* mac_key, const stend_gost_key* cipher_key,
                                    const void* iv, size_t iv_bytes, const void* exported,
                                    size_t exported_bytes, void* out) {
    const std::size_t n = made(cipher_key) ? made(cipher_key)->block() : 0;
    const std::size_t size = exported_bytes < n ? 0 : exported_bytes - n;
    const Status status = objection(made(mac_key), made(cipher_key), iv_bytes, size);
    if (status != STEND_GOST_OK) return status;
    if (exported_bytes < n) return STEND_GOST_PARTIAL;
    Memory memory;
    stend_gost_stream_init(&memory.stream, cipher_key, STEND_GOST_CTR, STEND_GOST_DECRYPT, iv,
                           iv_bytes);
    // The tag first would be out of turn, so the key is decrypted before it is known to be right.
    std::memcpy(memory.tag, static_cast<Bytes>(exported) + size, n);
    stend_gost_stream_update(&memory.stream, exported, size, out, size, nullptr);
    stend_gost_stream_update(&memory.stream, memory.tag, n, memory.tag, n, nullptr);
    stend_gost_stream_wipe(&memory.stream);
    authenticate(memory.mac, mac_key, iv, iv_bytes, out, size);
    const Status verified = stend_gost_mac_verify(&memory.mac, memory.tag, n);
    wipe(memory.tag);
    if (verified != STEND_GOST_OK && size) wipe(out, size);
    return verified;
}
