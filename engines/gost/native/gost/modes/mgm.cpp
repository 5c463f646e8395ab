// MGM in pieces: whole blocks go to the engine where they lie, several threads add up sums of
// their own, and the last block is padded with zeros and goes together with the lengths.
#include "gost/modes/mgm.h"

#include <algorithm>
#include <cstring>
#include <mutex>

#include "gost/modes/bytes.h"
#include "gost/modes/share.h"

namespace stend::gost {
namespace {

struct Tail {
    std::uint8_t bytes[2 * largest_block];
};

enum class Work : std::uint8_t { absorb, seal, open };

void run(const Key& key, Work work, Mgm& mgm, Bytes in, Out out, std::size_t blocks) {
    const Engine& engine = *key.engine;
    if (work == Work::absorb)
        engine.absorb(key.schedule, mgm, in, blocks);
    else
        (work == Work::seal ? engine.seal : engine.open)(key.schedule, mgm, in, out, blocks);
}

// The counters, further on by some blocks: Y's right half, Z's left half.
void move_on(Mgm& mgm, std::size_t n, Work work, std::size_t blocks) {
    if (work != Work::absorb) advance_half(mgm.y + n / 2, n, blocks);
    advance_half(mgm.z, n, blocks);
}

// False when it isn't worth it.
bool run_shared(MgmContext& context, Work work, Bytes in, Out out, std::size_t blocks) {
    const std::size_t n = context.key->block();
    const Pieces pieces = pieces_for(context.threads, blocks, n);
    if (pieces.count == 1) return false;
    Wiped<Mgm> sums;
    std::memset(&sums.value, 0, sizeof sums.value);
    std::mutex adding;
    auto one = [&](std::size_t piece) {
        const std::size_t at = pieces.first(piece) * n;
        Wiped<Mgm> mine;
        mine.value = context.mgm;
        move_on(mine.value, n, work, pieces.first(piece));
        std::memset(mine.value.sum, 0, sizeof mine.value.sum);
        run(*context.key, work, mine.value, in + at, out ? out + at : nullptr, pieces.size(piece));
        const std::scoped_lock lock(adding);
        add_block(sums.value.sum, mine.value.sum, n);
    };
    share_out(pieces, one);
    add_block(context.mgm.sum, sums.value.sum, n);
    move_on(context.mgm, n, work, blocks);
    return true;
}

void whole_blocks(MgmContext& mgm, Work work, Bytes in, Out out, std::size_t blocks) {
    if (blocks == 0) return;
    if (mgm.threads == 1 || !run_shared(mgm, work, in, out, blocks))
        run(*mgm.key, work, mgm.mgm, in, out, blocks);
}

// What is held back as a whole block of ciphertext or associated data.
void absorb_held(MgmContext& mgm) {
    std::memset(mgm.block + mgm.held, 0, mgm.key->block() - mgm.held);
    run(*mgm.key, Work::absorb, mgm.mgm, mgm.block, nullptr, 1);
    mgm.held = 0;
}

void begin_message(MgmContext& mgm) {
    if (mgm.message_begun) return;
    if (mgm.held) absorb_held(mgm);
    mgm.message_begun = true;
}

// Bytes of the begun block; a new one's gamma is made first.
void take_few(MgmContext& mgm, Bytes in, Out out, std::size_t size) {
    const std::size_t n = mgm.key->block();
    if (mgm.held == 0) {
        mgm.key->engine->encrypt(mgm.key->schedule, mgm.mgm.y, mgm.gamma, 1);
        advance_half(mgm.mgm.y + n / 2, n, 1);
    }
    for (std::size_t i = 0; i < size; ++i) {
        const std::uint8_t x = in[i], y = x ^ mgm.gamma[mgm.held];
        out[i] = y;
        mgm.block[mgm.held++] = mgm.opening ? x : y;
    }
    if (mgm.held == n) absorb_held(mgm);
}

}  // namespace

bool room_for(const MgmContext& mgm, std::size_t more) {
    const std::uint64_t limit = mgm.key->block() == 16 ? std::uint64_t{1} << 61 : 1 << 29;
    const std::uint64_t taken = mgm.associated_bytes + mgm.message_bytes;
    return more < limit && taken + more < limit;
}

void take_associated(MgmContext& mgm, Bytes in, std::size_t size) {
    const std::size_t n = mgm.key->block();
    mgm.associated_bytes += size;
    if (mgm.held) {
        const std::size_t now = std::min(size, n - mgm.held);
        std::memcpy(mgm.block + mgm.held, in, now);
        mgm.held += now;
        in += now;
        size -= now;
        if (mgm.held < n) return;
        absorb_held(mgm);
    }
    const std::size_t whole = size - rest_of(size, n);
    whole_blocks(mgm, Work::absorb, in, nullptr, blocks_in(whole, n));
    mgm.held = size - whole;
    if (mgm.held) std::memcpy(mgm.block, in + whole, mgm.held);
}

void take_message(MgmContext& mgm, Bytes in, Out out, std::size_t size) {
    const std::size_t n = mgm.key->block();
    begin_message(mgm);
    mgm.message_bytes += size;
    if (mgm.held) {
        const std::size_t now = std::min(size, n - mgm.held);
        take_few(mgm, in, out, now);
        in += now;
        out += now;
        size -= now;
    }
    const std::size_t whole = size - rest_of(size, n);
    whole_blocks(mgm, mgm.opening ? Work::open : Work::seal, in, out, blocks_in(whole, n));
    if (size > whole) take_few(mgm, in + whole, out + whole, size - whole);
}

void make_tag(MgmContext& mgm, Out tag) {
    const Key& key = *mgm.key;
    const std::size_t n = key.block();
    Wiped<Tail> tail;
    std::uint8_t* lengths = tail.value.bytes;
    if (mgm.held) {
        std::memcpy(lengths, mgm.block, mgm.held);
        std::memset(lengths + mgm.held, 0, n - mgm.held);
        lengths += n;
    }
    if (n == 16) {
        store_big(lengths, 8 * mgm.associated_bytes);
        store_big(lengths + 8, 8 * mgm.message_bytes);
    } else {
        store_big(lengths, static_cast<std::uint32_t>(8 * mgm.associated_bytes));
        store_big(lengths + 4, static_cast<std::uint32_t>(8 * mgm.message_bytes));
    }
    key.engine->absorb(key.schedule, mgm.mgm, tail.value.bytes, mgm.held ? 2 : 1);
    key.engine->encrypt(key.schedule, mgm.mgm.sum, tag, 1);
}

}  // namespace stend::gost
