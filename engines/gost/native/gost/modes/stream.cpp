// Pieces of any size: a block that was begun is finished, whole blocks go on, the rest is kept.
#include "gost/modes/stream.h"

#include <algorithm>
#include <cstring>

#include "gost/modes/bytes.h"

namespace stend::gost {
namespace {

constexpr std::uint8_t zeros[largest_block] = {};

struct Bounce {
    std::uint8_t bytes[4096];
};

// ---- CTR, OFB, CFB: as much comes out as goes in ---------------------------------------------

// Makes the gamma of the next block, of which all bytes are unused.
void make_gamma(Stream& stream) {
    const Key& key = *stream.key;
    if (stream.mode == Mode::cfb) {
        enter_section(stream);
        key.engine->encrypt(stream.now(), stream.shift, stream.block, 1);
        if (stream.section) stream.section_left -= key.block();
    } else {
        whole_blocks(stream, zeros, stream.block, 1);
    }
    stream.held = key.block();
}

// Uses bytes of the gamma. CFB puts the encrypted ones where those it needs no more were.
void use_gamma(Stream& stream, Bytes in, Out out, std::size_t size) {
    const std::size_t n = stream.key->block(), at = n - stream.held;
    const bool feeds_back = stream.mode == Mode::cfb, decrypting = stream.decrypting;
    for (std::size_t i = 0; i < size; ++i) {
        const std::uint8_t x = in[i], y = x ^ stream.block[at + i];
        out[i] = y;
        if (feeds_back) stream.shift[at + i] = decrypting ? x : y;
    }
    stream.held -= size;
    if (stream.held == 0 && stream.mode == Mode::cfb)
        std::rotate(stream.shift, stream.shift + n, stream.shift + stream.chains * n);
}

struct Short {
    std::uint8_t bytes[32 * largest_block];
};

// A short message of CTR that ends inside a block: one call of the engine instead of two.
void count_short(Stream& stream, Bytes in, Out out, std::size_t size) {
    const std::size_t n = stream.key->block(), rest = rest_of(size, n);
    Short memory;
    const std::size_t padded = size - rest + n;
    std::memcpy(memory.bytes, in, size);
    std::memset(memory.bytes + size, 0, n - rest);
    whole_blocks(stream, memory.bytes, memory.bytes, blocks_in(padded, n));
    std::memcpy(out, memory.bytes, size);
    std::memcpy(stream.block, memory.bytes + padded - n, n);
    stream.held = n - rest;
    wipe(memory.bytes, padded);
}

// Apart from take(), which saves no registers for it when there are only whole blocks.
[[gnu::noinline]] void take_gamma(Stream& stream, Bytes in, Out out, std::size_t size) {
    const std::size_t n = stream.key->block();
    const auto with_gamma = [&](std::size_t now) {
        use_gamma(stream, in, out, now);
        in += now;
        out += now;
        size -= now;
    };
    if (stream.held) with_gamma(std::min(size, stream.held));
    if (stream.mode == Mode::ctr && rest_of(size, n) && size > n &&
        size < sizeof(Short) / largest_block * n)
        return count_short(stream, in, out, size);
    if (const std::size_t blocks = blocks_in(size, n)) {
        whole_blocks(stream, in, out, blocks);
        in += blocks * n;
        out += blocks * n;
        size -= blocks * n;
    }
    if (size == 0) return;
    make_gamma(stream);
    with_gamma(size);
}

// ---- ECB, CBC: whole blocks come out -----------------------------------------------------------

void keep(Stream& stream, Bytes in, std::size_t size) {
    std::memcpy(stream.block + stream.held, in, size);
    stream.held += size;
}

// What is held back first, then blocks where they lie. `out` doesn't overlap `in`, or is where
// the first byte that was held back came from.
void take_blocks(Stream& stream, Bytes in, Out out, std::size_t size) {
    const std::size_t n = stream.key->block(), written = comes_out(stream, size);
    std::size_t taken = 0, done = 0;
    if (written && stream.held) {
        taken = n - stream.held;
        done = n;
        keep(stream, in, taken);
        whole_blocks(stream, stream.block, out, 1);
        stream.held = 0;
    }
    if (written > done) {
        whole_blocks(stream, in + taken, out + done, blocks_in(written - done, n));
        taken += written - done;
    }
    if (size > taken) keep(stream, in + taken, size - taken);
}

bool overlap(Bytes in, std::size_t size, Out out, std::size_t written) {
    const auto a = reinterpret_cast<std::uintptr_t>(in), b = reinterpret_cast<std::uintptr_t>(out);
    return a < b + written && b < a + size;
}

// In place though bytes are held back: the output runs ahead of the input, which is copied
// before it is overwritten.
void take_blocks_in_place(Stream& stream, Bytes in, Out out, std::size_t size) {
    Wiped<Bounce> memory;
    while (size) {
        const std::size_t now = std::min(size, sizeof(Bounce));
        std::memcpy(memory.value.bytes, in, now);
        const std::size_t written = comes_out(stream, now);
        take_blocks(stream, memory.value.bytes, out, now);
        in += now;
        out += written;
        size -= now;
    }
}

}  // namespace

void Stream::end() {
    if (own) wipe(static_cast<SectionedStream*>(this)->schedule);
    const std::size_t held_in_register = std::min(chains, most_chains);
    wipe(this, offsetof(Stream, shift));
    for (std::size_t i = 0; i < held_in_register; ++i)
        wipe(shift + i * largest_block, largest_block);
}

std::size_t comes_out(const Stream& stream, std::size_t size) {
    if (!stream.by_blocks()) return size;
    const std::size_t n = stream.key->block(), all = stream.held + size;
    const bool takes_off = stream.decrypting && stream.padding == STEND_GOST_PADDING_2;
    const std::size_t rest = rest_of(all, n), kept = takes_off && all && rest == 0 ? n : rest;
    return all - kept;
}

void take(Stream& stream, Bytes in, Out out, std::size_t size) {
    const std::size_t n = stream.key->block();
    const bool simple = stream.held == 0 && rest_of(size, n) == 0;
    if (!stream.by_blocks())
        return simple ? whole_blocks(stream, in, out, blocks_in(size, n))
                      : take_gamma(stream, in, out, size);
    const bool ahead =
        stream.held && out != in - stream.held && overlap(in, size, out, comes_out(stream, size));
    return (ahead ? take_blocks_in_place : take_blocks)(stream, in, out, size);
}

}  // namespace stend::gost
