// Encryption and decryption in pieces: what a stream remembers between two of them. A message that
// is worked on in one call has a stream for its length, too.
#pragma once

#include "gost/modes/context.h"

namespace stend::gost {

enum class Mode : std::uint8_t { ecb, ctr, ofb, cbc, cfb };

inline constexpr std::size_t most_chains = 16;

struct Stream {
    std::uint32_t life;
    Mode mode;
    bool decrypting;
    bool used;         // something was taken in: too late for options
    std::uint8_t own;  // 1: `schedule` is in use, for this is not the first section
    stend_gost_padding padding;
    unsigned threads;
    const Key* key;
    std::size_t section;       // bytes to a key; 0: one key for all
    std::size_t section_left;  // bytes until the next one
    std::uint64_t left;        // bytes that the mode still allows
    std::size_t chains;        // blocks in the register
    std::size_t held;          // ECB, CBC: bytes in `block`; else: bytes of it not used yet
    std::uint8_t block[largest_block];  // ECB, CBC: what is held back; else: the gamma
    // The counter; the register, the next first. Last, for as much is wiped as is used.
    alignas(16) std::uint8_t shift[most_chains * largest_block];

    bool by_blocks() const { return mode == Mode::ecb || mode == Mode::cbc; }
    bool counter_is_encrypted() const { return mode == Mode::ctr && key->legacy(); }
    const Schedule& now() const;
    void end();
};

// With room for the keys of sections.
struct SectionedStream : Stream {
    Schedule schedule;
};

inline const Schedule& Stream::now() const {
    return own ? static_cast<const SectionedStream*>(this)->schedule : key->schedule;
}

// Bytes that are more than any buffer has: a mode without a limit of its own takes no more at once.
inline constexpr std::uint64_t no_limit = PTRDIFF_MAX;

// Bytes that the mode allows under one initialisation vector.
std::uint64_t limit(const Key& key, Mode mode, std::size_t iv_bytes);

// What is wrong with a message's beginning.
Status objection(const Key* key, stend_gost_mode mode, stend_gost_direction direction,
                 std::size_t iv_bytes);

// Makes a stream of which nothing is wrong.
void begin(Stream& stream, const Key& key, Mode mode, bool decrypting, const void* iv,
           std::size_t iv_bytes);

// Does so when the stream's counter_is_encrypted(): that of GOST 28147-89 begins with the encrypted
// vector (RFC 5830, 6).
void encrypt_counter(Stream& stream);

// Bytes that an update of `size` bytes writes.
std::size_t comes_out(const Stream& stream, std::size_t size);

// Takes in `size` bytes; comes_out() bytes are written.
void take(Stream& stream, Bytes in, Out out, std::size_t size);

// Whole blocks, by the stream's mode and direction, a new key at each section's end.
void whole_blocks(Stream& stream, Bytes in, Out out, std::size_t blocks);

// Whole blocks of a mode with a register, or counter, of one block, or with none.
void one_register(const Key& key, const Schedule& schedule, Mode mode, bool decrypting, Out shift,
                  Bytes in, Out out, std::size_t blocks);

// Sees to it that the next block has its key.
void enter_section(Stream& stream);

// What is held back, padded and encrypted, or decrypted and without its padding: *written bytes.
Status finish_blocks(Stream& stream, Out out, std::size_t room, std::size_t& written);

}  // namespace stend::gost
