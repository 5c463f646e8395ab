// The wall between the ciphers and the modes: one cipher's work over whole blocks, as one variant
// does it. The modes (modes/) know ciphers only by this header; a variant knows no modes.
//
// Blocks are 16 bytes (Kuznyechik) or 8 (Magma, GOST 28147-89), in the byte order in which the
// standard prints them. `in` and `out` are one buffer or do not overlap, at any alignment; no
// blocks at all is allowed. Nothing here allocates, throws or keeps key material in memory of its
// own. What it names on the stack it wipes (wipe.h); what the compiler spills is left there, and in
// registers: the C interface overwrites the stack below an engine's call (modes/clean.h), whoever
// calls an engine himself has to (wipe_stack).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "gost/wipe.h"
#include "isa/isa.h"

namespace stend::gost {

enum class Cipher : std::uint8_t {
    kuznyechik,  // GOST R 34.12-2015, section 4; RFC 7801
    magma,       // GOST R 34.12-2015, section 5; RFC 8891
    // GOST 28147-89 (RFC 5830) with the S-boxes of RFC 4357 section 11.1 and of RFC 7836 annex C
    gost28147_tc26_z,
    gost28147_cryptopro_a,
    gost28147_cryptopro_b,
    gost28147_cryptopro_c,
    gost28147_cryptopro_d,
};

inline constexpr std::size_t key_bytes = 32;
inline constexpr std::size_t largest_block = 16;

constexpr std::size_t block_bytes(Cipher cipher) {
    return cipher == Cipher::kuznyechik ? 16 : 8;
}

// A key as one variant wants it: round keys and what is derived from them. Plain bytes, so that it
// can be copied and wiped; only the variant that wrote it reads it.
struct alignas(64) Schedule {
    std::byte bytes[6144];
};

// What becomes of a block x in a chain with state s (E is the cipher's encryption):
enum class Feed : std::uint8_t {
    mac,    // s = E(s ^ x)                       out is not written (GOST R 34.13-2015, 5.6)
    cbc,    // s = E(s ^ x); out = s              (5.4.1)
    cfb,    // s = E(s) ^ x; out = s              (5.5.1)
    ofb,    // s = E(s);     out = s ^ x          (5.3.1)
    imito,  // s = E16(s ^ x) of GOST 28147-89 alone: its first 16 rounds, and no output (RFC 5830,
            // 8)
};

// One chain of blocks, each of which waits for the one before it. Chains are independent of each
// other: several messages, each with a key of its own, or the interleaved chains of a mode whose
// register is several blocks long.
struct Lane {
    const Schedule* schedule;
    std::uint8_t* state;     // one block, left as the last block of the chain leaves it
    const std::uint8_t* in;  // block i at in + i * stride
    std::uint8_t* out;       // likewise; unused by mac and imito
    std::size_t stride;      // bytes
};

// The state of MGM (RFC 9058, section 4.1) between two pieces of a message. Y counts in its right
// half, Z in its left half, both big-endian; sum is Z's keystream times the blocks so far, added up
// in GF(2^128) or GF(2^64), reduced, as a block's bytes. The first block_bytes of each are used.
struct Mgm {
    std::uint8_t y[largest_block];
    std::uint8_t z[largest_block];
    std::uint8_t sum[largest_block];
};

// What the engines use of the stack, with a margin for other compilers: 20.5 KB was seen.
inline constexpr std::size_t most_stack = 28 * 1024;

using Bytes = const std::uint8_t*;
using Out = std::uint8_t*;

struct Engine {
    std::string_view name;
    isa::Features needs;
    // No branch and no address depends on what the key, blocks, registers, MGM's Y, Z and sum hold,
    // nor on the counter of GOST 28147-89: Y, Z and that counter begin with encryptions, which
    // nobody knows without the key. The counter of Kuznyechik's and Magma's CTR is public.
    bool constant_time;

    void (*schedule)(Schedule&, Cipher, Bytes key);
    void (*encrypt)(const Schedule&, Bytes in, Out out, std::size_t blocks);
    void (*decrypt)(const Schedule&, Bytes in, Out out, std::size_t blocks);

    // out = in ^ E(counter), E(counter + 1), …; the counter is a block, big-endian, and is left
    // moved on by `blocks` modulo 2^n (5.2). GOST 28147-89 counts by its own rule (RFC 5830, 6).
    void (*count)(const Schedule&, Out counter, Bytes in, Out out, std::size_t blocks);

    // All chains by `blocks` blocks each.
    void (*chain)(Feed, std::span<const Lane> lanes, std::size_t blocks);

    // Decryption of CBC and CFB. `shift` is the register: `chains` blocks, the next to be used
    // first, and is left so.
    void (*cbc_decrypt)(const Schedule&, Out shift, std::size_t chains, Bytes in, Out out,
                        std::size_t blocks);
    void (*cfb_decrypt)(const Schedule&, Out shift, std::size_t chains, Bytes in, Out out,
                        std::size_t blocks);

    // MGM over whole blocks: absorb adds up `in` (associated data); seal encrypts and adds up
    // `out`; open adds up `in` and decrypts. Null for GOST 28147-89, which has no MGM.
    void (*absorb)(const Schedule&, Mgm&, Bytes in, std::size_t blocks);
    void (*seal)(const Schedule&, Mgm&, Bytes in, Out out, std::size_t blocks);
    void (*open)(const Schedule&, Mgm&, Bytes in, Out out, std::size_t blocks);

    // Bytes of the stack in which the functions may leave something of key and data, at most, and
    // the same for the schedule and for up to `few` blocks of all but several chains; MGM's
    // functions may take 1 KiB more.
    std::size_t stack = most_stack;
    std::size_t stack_of_few = stack;
    std::size_t few = 16;
    // How it is overwritten: with the widest registers that the variant's machines have.
    void (*wipe_stack)(std::size_t) = gost::wipe_stack;

    // The schedule and the encryption of a block of zeros, where both together take less time than
    // one after the other; else null.
    void (*schedule_and_zeros)(Schedule&, Bytes key, Out zeros) = nullptr;
};

// The variants of a cipher, whether this machine can run them or not: those that are not constant
// time, then the others, each slowest first on this machine.
std::span<const Engine* const> engines(Cipher cipher);

// The fastest constant-time variant that this machine runs.
const Engine& fastest(Cipher cipher);

// The variant of that name; null when there is none. It may be one that can't run here.
const Engine* find(Cipher cipher, std::string_view name);

}  // namespace stend::gost
