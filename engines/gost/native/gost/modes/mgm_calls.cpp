// The C interface of MGM: what is asked is checked here.
#include <algorithm>
#include <cstring>

#include "gost/modes/bytes.h"
#include "gost/modes/clean.h"
#include "gost/modes/mgm.h"

namespace stend::gost {
namespace {

struct Tag {
    std::uint8_t bytes[largest_block];
};

struct Counters {
    std::uint8_t bytes[2 * largest_block];
};

constexpr std::size_t shortest_tag = 4;  // RFC 9058, 4: 32 <= S <= n bits

// Work with at most so many bytes at a time, of which nothing stays on the stack.
template <typename Work>
Status cleanly(const Key& key, std::size_t bytes, Work work) {
    Status status;
    gost::cleanly(*key.engine, stack_for(key, bytes) + stack_of_mgm, [&] { status = work(); });
    return status;
}

// Y_1 = E(0 | nonce), Z_1 = E(1 | nonce); the sum is nought.
void begin_counters(MgmContext& mgm, Bytes nonce) {
    const std::size_t n = mgm.key->block();
    Wiped<Counters> first;
    std::uint8_t* const bytes = first.value.bytes;
    std::memcpy(bytes, nonce, n);
    std::memcpy(bytes + n, nonce, n);
    bytes[n] |= 0x80;
    mgm.key->engine->encrypt(mgm.key->schedule, bytes, bytes, 2);
    std::memcpy(mgm.mgm.y, bytes, n);
    std::memcpy(mgm.mgm.z, bytes + n, n);
    std::memset(mgm.mgm.sum, 0, sizeof mgm.mgm.sum);
}

Status begin(MgmContext& mgm, const Key* key, bool opening, Bytes nonce, std::size_t nonce_bytes) {
    if (key->legacy()) return STEND_GOST_BAD_CIPHER;
    if (nonce_bytes != key->block() || nonce[0] & 0x80) return STEND_GOST_BAD_IV;
    mgm.key = key;
    mgm.opening = opening;
    mgm.message_begun = false;
    mgm.threads = 1;
    mgm.associated_bytes = mgm.message_bytes = 0;
    mgm.held = 0;
    begin_counters(mgm, nonce);
    mgm.life = alive;
    return STEND_GOST_OK;
}

Status associate(MgmContext& mgm, const void* data, std::size_t size) {
    if (size == 0) return STEND_GOST_OK;
    if (mgm.message_begun) return failed(mgm, STEND_GOST_BAD_OPTION);
    if (!room_for(mgm, size)) return failed(mgm, STEND_GOST_TOO_LONG);
    take_associated(mgm, static_cast<Bytes>(data), size);
    return STEND_GOST_OK;
}

Status update(MgmContext& mgm, const void* in, std::size_t size, void* out) {
    if (size == 0) return STEND_GOST_OK;
    if (!room_for(mgm, size)) return failed(mgm, STEND_GOST_TOO_LONG);
    take_message(mgm, static_cast<Bytes>(in), static_cast<Out>(out), size);
    return STEND_GOST_OK;
}

// The whole tag, after which the context is at its end.
Status finish(MgmContext& mgm, bool opening, std::size_t tag_bytes, Tag& tag) {
    if (mgm.opening != opening) return failed(mgm, STEND_GOST_BAD_OPTION);
    if (tag_bytes < shortest_tag || tag_bytes > mgm.key->block())
        return failed(mgm, STEND_GOST_BAD_TAG_SIZE);
    if (mgm.associated_bytes == 0 && mgm.message_bytes == 0) return failed(mgm, STEND_GOST_EMPTY);
    make_tag(mgm, tag.bytes);
    mgm.end();
    return STEND_GOST_OK;
}

Status seal(MgmContext& mgm, void* tag, std::size_t tag_bytes) {
    Wiped<Tag> made;
    const Status status = finish(mgm, false, tag_bytes, made.value);
    if (status == STEND_GOST_OK) std::memcpy(tag, made.value.bytes, tag_bytes);
    return status;
}

Status verify(MgmContext& mgm, const void* tag, std::size_t tag_bytes) {
    Wiped<Tag> made;
    const Status status = finish(mgm, true, tag_bytes, made.value);
    if (status != STEND_GOST_OK) return status;
    return same(made.value.bytes, static_cast<Bytes>(tag), tag_bytes) ? STEND_GOST_OK
                                                                      : STEND_GOST_FORGED;
}

// A tag's size is looked at before anything is written.
Status whole(MgmContext& mgm, const Key* key, bool opening, const void* nonce,
             std::size_t nonce_bytes, unsigned threads, std::size_t tag_bytes) {
    const Status status = begin(mgm, key, opening, static_cast<Bytes>(nonce), nonce_bytes);
    if (status != STEND_GOST_OK) return status;
    mgm.threads = threads;
    if (tag_bytes < shortest_tag || tag_bytes > key->block()) return STEND_GOST_BAD_TAG_SIZE;
    return STEND_GOST_OK;
}

}  // namespace
}  // namespace stend::gost

using namespace stend::gost;

stend_gost_status stend_gost_mgm_init(stend_gost_mgm* opaque, const stend_gost_key* key,
                                      stend_gost_direction direction, const void* nonce,
                                      size_t nonce_bytes) {
    MgmContext& mgm = begun<MgmContext>(opaque);
    mgm.life = 0;
    if (direction != STEND_GOST_ENCRYPT && direction != STEND_GOST_DECRYPT)
        return STEND_GOST_BAD_OPTION;
    const bool decrypting = direction == STEND_GOST_DECRYPT;
    const Key* const found = made(key);
    if (!found) return STEND_GOST_FINISHED;
    return cleanly(*found, 0, [&] {
        return begin(mgm, found, decrypting, static_cast<Bytes>(nonce), nonce_bytes);
    });
}

stend_gost_status stend_gost_mgm_threads(stend_gost_mgm* opaque, unsigned threads) {
    MgmContext& mgm = inside<MgmContext>(opaque);
    if (mgm.life != alive) return STEND_GOST_FINISHED;
    mgm.threads = threads;
    return STEND_GOST_OK;
}

stend_gost_status stend_gost_mgm_associated(stend_gost_mgm* opaque, const void* data, size_t size) {
    MgmContext& mgm = inside<MgmContext>(opaque);
    if (mgm.life != alive) return STEND_GOST_FINISHED;
    return cleanly(*mgm.key, size, [&] { return associate(mgm, data, size); });
}

stend_gost_status stend_gost_mgm_update(stend_gost_mgm* opaque, const void* in, size_t size,
                                        void* out) {
    MgmContext& mgm = inside<MgmContext>(opaque);
    if (mgm.life != alive) return STEND_GOST_FINISHED;
    return cleanly(*mgm.key, size, [&] { return update(mgm, in, size, out); });
}

stend_gost_status stend_gost_mgm_finish(stend_gost_mgm* opaque, void* tag, size_t tag_bytes) {
    MgmContext& mgm = inside<MgmContext>(opaque);
    if (mgm.life != alive) return STEND_GOST_FINISHED;
    return cleanly(*mgm.key, 0, [&] { return seal(mgm, tag, tag_bytes); });
}

stend_gost_status stend_gost_mgm_verify(stend_gost_mgm* opaque, const void* tag, size_t tag_bytes) {
    MgmContext& mgm = inside<MgmContext>(opaque);
    if (mgm.life != alive) return STEND_GOST_FINISHED;
    return cleanly(*mgm.key, 0, [&] { return verify(mgm, tag, tag_bytes); });
}

void stend_gost_mgm_wipe(stend_gost_mgm* opaque) {
    inside<MgmContext>(opaque).end();
}

stend_gost_status stend_gost_mgm_seal(const stend_gost_key* key, const void* nonce,
                                      size_t nonce_bytes, const void* associated,
                                      size_t associated_bytes, const void* in, size_t size,
                                      void* out, void* tag, size_t tag_bytes, unsigned threads) {
    const Key* const found = made(key);
    if (!found) return STEND_GOST_FINISHED;
    return cleanly(*found, std::max(size, associated_bytes), [&] {
        Wiped<MgmContext> memory;
        MgmContext& mgm = memory.value;
        Status status = whole(mgm, found, false, nonce, nonce_bytes, threads, tag_bytes);
        if (status == STEND_GOST_OK) status = associate(mgm, associated, associated_bytes);
        if (status == STEND_GOST_OK) status = update(mgm, in, size, out);
        return status == STEND_GOST_OK ? seal(mgm, tag, tag_bytes) : status;
    });
}

stend_gost_status stend_gost_mgm_open(const stend_gost_key* key, const void* nonce,
                                      size_t nonce_bytes, const void* associated,
                                      size_t associated_bytes, const void* in, size_t size,
                                      void* out, const void* tag, size_t tag_bytes,
                                      unsigned threads) {
    const Key* const found = made(key);
    if (!found) return STEND_GOST_FINISHED;
    return cleanly(*found, std::max(size, associated_bytes), [&] {
        Wiped<MgmContext> memory;
        MgmContext& mgm = memory.value;
        Status status = whole(mgm, found, true, nonce, nonce_bytes, threads, tag_bytes);
        if (status == STEND_GOST_OK) status = associate(mgm, associated, associated_bytes);
        if (status == STEND_GOST_OK) status = update(mgm, in, size, out);
        if (status == STEND_GOST_OK) status = verify(mgm, tag, tag_bytes);
        if (status == STEND_GOST_FORGED && size) wipe(out, size);
        return status;
    });
}
