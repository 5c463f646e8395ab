// Whole blocks of each mode go to the engine where they lie, in one call or in one a thread.
#include <algorithm>
#include <memory>
#include <new>

#include "gost/modes/bytes.h"
#include "gost/modes/rekeying.h"
#include "gost/modes/share.h"
#include "gost/modes/stream.h"

namespace stend::gost {
namespace {

// A register of m blocks makes m chains, of which the blocks come in turn. They advance together
// as long as each has a block; the rest of them once more.
[[gnu::noinline]] void run_several(Stream& stream, Feed feed, Bytes in, Out out,
                                   std::size_t blocks) {
    const std::size_t n = stream.key->block(), chains = stream.chains;
    Lane lanes[most_chains];
    const auto advance_first = [&](std::size_t count, std::size_t from, std::size_t by) {
        for (std::size_t i = 0; i < count; ++i)
            lanes[i] = {&stream.now(), stream.shift + i * n, in + (from + i) * n,
                        out + (from + i) * n, chains * n};
        stream.key->engine->chain(feed, {lanes, count}, by);
    };
    const std::size_t rounds = blocks / chains, rest = blocks % chains;
    if (rounds) advance_first(chains, 0, rounds);
    if (rest) {
        advance_first(rest, rounds * chains, 1);
        std::rotate(stream.shift, stream.shift + rest * n, stream.shift + chains * n);
    }
}

// Blocks that do not wait for each other, with a register of their own; or any with one of a block.
void run_apart(const Stream& stream, const Schedule& schedule, Out shift, Bytes in, Out out,
               std::size_t blocks) {
    const Key& key = *stream.key;
    if (stream.chains == 1)
        return one_register(key, schedule, stream.mode, stream.decrypting, shift, in, out, blocks);
    const auto undo = stream.mode == Mode::cbc ? key.engine->cbc_decrypt : key.engine->cfb_decrypt;
    undo(schedule, shift, stream.chains, in, out, blocks);
}

void run(Stream& stream, Bytes in, Out out, std::size_t blocks) {
    if (stream.chains > 1) {
        if (stream.mode == Mode::ofb) return run_several(stream, Feed::ofb, in, out, blocks);
        if (!stream.decrypting)
            return run_several(stream, stream.mode == Mode::cbc ? Feed::cbc : Feed::cfb, in, out,
                               blocks);
    }
    run_apart(stream, stream.now(), stream.shift, in, out, blocks);
}

bool parallel(const Stream& stream) {
    if (stream.threads == 1 || stream.section || stream.key->legacy()) return false;
    return stream.mode == Mode::ecb || stream.mode == Mode::ctr ||
           (stream.decrypting && stream.mode != Mode::ofb);
}

// The registers that the pieces of a message begin with, and the one behind the last. Decryption
// in place destroys what they are made of, so they are all made before it begins.
class Registers {
public:
    // No memory: there are none.
    Registers(const Stream& stream, const Pieces& pieces, Bytes in)
        : size_(stream.mode == Mode::ecb   ? 0
                : stream.mode == Mode::ctr ? stream.key->block()
                                           : stream.chains * stream.key->block()),
          bytes_(new(std::nothrow) std::uint8_t[(pieces.count + 1) * size_]) {
        if (!bytes_ || size_ == 0) return;
        const std::size_t n = stream.key->block();
        std::memcpy((*this)[0], stream.shift, size_);
        for (std::size_t piece = 1; piece <= pieces.count; ++piece) {
            const std::size_t begin = std::min(pieces.first(piece), pieces.blocks);
            if (stream.mode == Mode::ctr) {
                std::memcpy((*this)[piece], stream.shift, n);
                advance((*this)[piece], n, begin);
            } else {
                std::memcpy((*this)[piece], in + begin * n - size_, size_);
            }
        }
    }

    bool made() const { return bytes_ != nullptr; }
    std::size_t size() const { return size_; }
    std::uint8_t* operator[](std::size_t piece) { return bytes_.get() + piece * size_; }

private:
    std::size_t size_;
    std::unique_ptr<std::uint8_t[]> bytes_;
};

// False when it isn't worth it, or can't be had.
[[gnu::noinline]] bool run_shared(Stream& stream, Bytes in, Out out, std::size_t blocks) {
    const std::size_t n = stream.key->block();
    const Pieces pieces = pieces_for(stream.threads, blocks, n);
    if (pieces.count == 1) return false;
    Registers registers(stream, pieces, in);
    if (!registers.made()) return false;
    auto work = [&](std::size_t piece) {
        const std::size_t at = pieces.first(piece) * n;
        // Engines write to it at every batch, and its neighbours are other threads'.
        std::uint8_t shift[most_chains * largest_block];
        std::memcpy(shift, registers[piece], registers.size());
        run_apart(stream, stream.key->schedule, shift, in + at, out + at, pieces.size(piece));
    };
    share_out(pieces, work);
    std::memcpy(stream.shift, registers[pieces.count], registers.size());
    return true;
}

// A section is one call of the engine.
[[gnu::noinline]] void in_sections(Stream& stream, Bytes in, Out out, std::size_t blocks) {
    const std::size_t n = stream.key->block();
    while (blocks) {
        enter_section(stream);
        const std::size_t now = std::min(blocks, blocks_in(stream.section_left, n));
        run(stream, in, out, now);
        stream.section_left -= now * n;
        in += now * n;
        out += now * n;
        blocks -= now;
    }
}

}  // namespace

void one_register(const Key& key, const Schedule& schedule, Mode mode, bool decrypting, Out shift,
                  Bytes in, Out out, std::size_t blocks) {
    const Engine& engine = *key.engine;
    const auto chain = [&](Feed feed) {
        const Lane lane{&schedule, shift, in, out, key.block()};
        engine.chain(feed, {&lane, 1}, blocks);
    };
    switch (mode) {
        case Mode::ecb:
            return (decrypting ? engine.decrypt : engine.encrypt)(schedule, in, out, blocks);
        case Mode::ctr:
            return engine.count(schedule, shift, in, out, blocks);
        case Mode::ofb:
            return chain(Feed::ofb);
        case Mode::cbc:
            if (!decrypting) return chain(Feed::cbc);
            return engine.cbc_decrypt(schedule, shift, 1, in, out, blocks);
        case Mode::cfb:
            if (!decrypting) return chain(Feed::cfb);
            return engine.cfb_decrypt(schedule, shift, 1, in, out, blocks);
    }
}

void enter_section(Stream& stream) {
    if (stream.section == 0 || stream.section_left > 0) return;
    const Key& key = *stream.key;
    Schedule& next = static_cast<SectionedStream&>(stream).schedule;
    if (key.legacy())
        mesh(key, stream.now(), next, stream.shift);
    else
        acpkm(key, stream.now(), next);
    stream.own = 1;
    stream.section_left = stream.section;
}

void whole_blocks(Stream& stream, Bytes in, Out out, std::size_t blocks) {
    if (stream.section) return in_sections(stream, in, out, blocks);
    if (!parallel(stream) || !run_shared(stream, in, out, blocks)) run(stream, in, out, blocks);
}

}  // namespace stend::gost
