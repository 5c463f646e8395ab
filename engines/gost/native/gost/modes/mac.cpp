// OMAC and its kin in pieces: all but the last block go into the chain where they lie.
#include "gost/modes/mac.h"

#include <algorithm>
#include <cstring>

#include "gost/modes/bytes.h"
#include "gost/modes/rekeying.h"

namespace stend::gost {
namespace {

constexpr std::uint8_t zeros[largest_block] = {};

// Key and K1 of a section of OMAC-ACPKM.
struct Material {
    std::uint8_t key[key_bytes];
    std::uint8_t subkey[largest_block];
};

// ACPKM-Master (RFC 8645, 6.3.1): the next bytes of CTR-ACPKM's gamma, as whole blocks.
void from_master(Mac& mac, Out out, std::size_t blocks) {
    const Key& key = *mac.key;
    const std::size_t n = key.block();
    while (blocks) {
        if (mac.master_left == 0) {
            acpkm(key, mac.master_schedule, mac.master_schedule);
            mac.master_left = mac.master;
        }
        const std::size_t now = std::min(blocks, blocks_in(mac.master_left, n));
        std::memset(out, 0, now * n);
        key.engine->count(mac.master_schedule, mac.counter, out, out, now);
        mac.master_left -= now * n;
        out += now * n;
        blocks -= now;
    }
}

// Sees to it that the next block has its key.
void enter_section(Mac& mac) {
    if (mac.section == 0 || mac.section_left > 0) return;
    const Key& key = *mac.key;
    const std::size_t n = key.block();
    if (mac.acpkm()) {
        Wiped<Material> material;
        from_master(mac, material.value.key, blocks_in(key_bytes + n, n));
        key.engine->schedule(mac.schedule, key.cipher, material.value.key);
        std::memcpy(mac.subkeys.whole, material.value.subkey, n);
        double_block(mac.subkeys.padded, material.value.subkey, n);
    } else {
        mesh(key, mac.now(), mac.schedule, nullptr);
    }
    mac.own = 1;
    mac.section_left = mac.section;
}

void into_chain(Mac& mac, Bytes in, std::size_t blocks) {
    const Key& key = *mac.key;
    const std::size_t n = key.block();
    mac.taken = std::min<std::size_t>(2, mac.taken + std::min<std::size_t>(2, blocks));
    while (blocks) {
        enter_section(mac);
        const std::size_t now =
            mac.section ? std::min(blocks, blocks_in(mac.section_left, n)) : blocks;
        const Lane lane{&mac.now(), mac.state, in, nullptr, n};
        key.engine->chain(key.legacy() ? Feed::imito : Feed::mac, {&lane, 1}, now);
        if (mac.section) mac.section_left -= now * n;
        in += now * n;
        blocks -= now;
    }
}

void keep(Mac& mac, Bytes in, std::size_t size) {
    std::memcpy(mac.block + mac.held, in, size);
    mac.held += size;
}

// RFC 5830, 8: the last block is filled with zeros; 64 bits or less are followed by a block of
// zeros, for a code takes two blocks. Of an empty message the code is zeros, as in gost-engine.
void finish_legacy(Mac& mac, std::size_t n) {
    if (!mac.held) return;
    std::memset(mac.block + mac.held, 0, n - mac.held);
    into_chain(mac, mac.block, 1);
    if (mac.taken < 2) into_chain(mac, zeros, 1);
}

}  // namespace

void Mac::end() {
    if (own) {
        wipe(schedule);
        wipe(master_schedule);
    }
    wipe(this, offsetof(Mac, schedule));
}

void take(Mac& mac, Bytes in, std::size_t size) {
    const std::size_t n = mac.key->block();
    if (mac.held) {
        const std::size_t filling = n - mac.held;
        keep(mac, in, filling);
        into_chain(mac, mac.block, 1);
        mac.held = 0;
        in += filling;
        size -= filling;
    }
    if (size > n) {
        const std::size_t blocks = blocks_in(size - 1, n);
        into_chain(mac, in, blocks);
        in += blocks * n;
        size -= blocks * n;
    }
    keep(mac, in, size);
}

void close_block(std::uint8_t* block, std::size_t held, const Subkeys& subkeys, std::size_t n) {
    if (held == n) return add_block(block, subkeys.whole, n);
    std::memset(block + held, 0, n - held);
    block[held] = 0x80;
    add_block(block, subkeys.padded, n);
}

void make_tag(Mac& mac, Out tag) {
    const std::size_t n = mac.key->block();
    if (mac.key->legacy()) {
        finish_legacy(mac, n);
    } else {
        enter_section(mac);
        close_block(mac.block, mac.held, mac.acpkm() ? mac.subkeys : mac.key->subkeys, n);
        into_chain(mac, mac.block, 1);
    }
    std::memcpy(tag, mac.state, n);
}

}  // namespace stend::gost
