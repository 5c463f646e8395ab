// The C interface of message authentication codes: what is asked is checked here.
#include <cstring>

#include "gost/modes/bytes.h"
#include "gost/modes/clean.h"
#include "gost/modes/mac.h"

namespace stend::gost {
namespace {

struct Tag {
    std::uint8_t bytes[largest_block];
};

bool right_size(const Key& key, std::size_t tag_bytes) {
    return tag_bytes >= 1 && tag_bytes <= key.block();
}

std::size_t stack_for(const Mac& mac, std::size_t bytes) {
    return mac.section ? full_stack(*mac.key) : stack_for(*mac.key, bytes);
}

// The whole code, after which the context is at its end.
Status finished(Mac& mac, std::size_t tag_bytes, Tag& tag) {
    if (mac.life != alive) return STEND_GOST_FINISHED;
    if (!right_size(*mac.key, tag_bytes)) return failed(mac, STEND_GOST_BAD_TAG_SIZE);
    cleanly(*mac.key->engine, stack_for(mac, 0), [&] { make_tag(mac, tag.bytes); });
    mac.end();
    return STEND_GOST_OK;
}

// OMAC-ACPKM's key material comes from the key, with a counter of ones (RFC 8645, 6.3.1).
void begin_acpkm(Mac& mac, std::size_t master) {
    const std::size_t n = mac.key->block();
    mac.master = mac.master_left = master;
    mac.section_left = 0;  // the first section, too, has a key made of it
    mac.own = 1;
    mac.master_schedule = mac.key->schedule;
    std::memset(mac.counter, 0xff, n / 2);
    std::memset(mac.counter + n / 2, 0, n / 2);
}

// A section's key and K1 come of one master key (RFC 8645, 6.3.1; R 1323565.1.017-2018, 4.2).
bool right_sections(const Key& key, std::size_t section, std::size_t master) {
    if (key.legacy()) return section == 1024 && master == 0;
    const std::size_t n = key.block();
    return section && rest_of(section, n) == 0 && master && master % (key_bytes + n) == 0;
}

}  // namespace
}  // namespace stend::gost

using namespace stend::gost;

stend_gost_status stend_gost_mac_init(stend_gost_mac* opaque, const stend_gost_key* opaque_key) {
    Mac& mac = begun<Mac>(opaque);
    mac.life = 0;
    mac.own = 0;
    const Key* const key = made(opaque_key);
    if (!key) return STEND_GOST_FINISHED;
    mac.key = key;
    mac.used = false;
    mac.section = mac.section_left = mac.master = mac.taken = mac.held = 0;
    std::memset(mac.state, 0, sizeof mac.state);
    mac.life = alive;
    return STEND_GOST_OK;
}

stend_gost_status stend_gost_mac_sections(stend_gost_mac* opaque, size_t section,
                                          size_t master_section) {
    Mac& mac = inside<Mac>(opaque);
    if (mac.life != alive) return STEND_GOST_FINISHED;
    if (mac.used || mac.section) return failed(mac, STEND_GOST_BAD_OPTION);
    if (!right_sections(*mac.key, section, master_section))
        return failed(mac, STEND_GOST_BAD_SECTION);
    mac.section = mac.section_left = section;
    if (master_section) begin_acpkm(mac, master_section);
    return STEND_GOST_OK;
}

stend_gost_status stend_gost_mac_update(stend_gost_mac* opaque, const void* in, size_t size) {
    Mac& mac = inside<Mac>(opaque);
    if (mac.life != alive) return STEND_GOST_FINISHED;
    if (size == 0) return STEND_GOST_OK;
    mac.used = true;
    // What is the last block so far only waits.
    if (size <= mac.key->block() - mac.held) {
        std::memcpy(mac.block + mac.held, in, size);
        mac.held += size;
        return STEND_GOST_OK;
    }
    cleanly(*mac.key->engine, stack_for(mac, size),
            [&] { take(mac, static_cast<Bytes>(in), size); });
    return STEND_GOST_OK;
}

stend_gost_status stend_gost_mac_finish(stend_gost_mac* opaque, void* tag, size_t tag_bytes) {
    Wiped<Tag> made;
    const Status status = finished(inside<Mac>(opaque), tag_bytes, made.value);
    if (status == STEND_GOST_OK) std::memcpy(tag, made.value.bytes, tag_bytes);
    return status;
}

stend_gost_status stend_gost_mac_verify(stend_gost_mac* opaque, const void* tag, size_t tag_bytes) {
    Wiped<Tag> made;
    const Status status = finished(inside<Mac>(opaque), tag_bytes, made.value);
    if (status != STEND_GOST_OK) return status;
    return same(made.value.bytes, static_cast<Bytes>(tag), tag_bytes) ? STEND_GOST_OK
                                                                      : STEND_GOST_FORGED;
}

void stend_gost_mac_wipe(stend_gost_mac* opaque) {
    inside<Mac>(opaque).end();
}
