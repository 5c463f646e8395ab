// Message authentication codes by a chain: OMAC, OMAC-ACPKM and the imitovstavka of GOST 28147-89.
#pragma once

#include "gost/modes/context.h"

namespace stend::gost {

struct Mac {
    std::uint32_t life;
    bool used;         // something was taken in: too late for options
    std::uint8_t own;  // 1: `schedule` is in use, for sections have keys of their own
    const Key* key;
    std::size_t section;       // bytes to a key; 0: one key for all
    std::size_t section_left;  // bytes until the next one
    std::size_t master;        // OMAC-ACPKM: bytes of key material to a master key; else 0
    std::size_t master_left;   // bytes until the next one
    std::size_t taken;         // blocks, as far as it matters: 0, 1, 2 or more
    std::size_t held;          // bytes in `block`: the last block waits for the end
    std::uint8_t state[largest_block];
    std::uint8_t block[largest_block];
    std::uint8_t counter[largest_block];  // of the master key's CTR-ACPKM
    Subkeys subkeys;                      // of the section of OMAC-ACPKM
    Schedule schedule;                    // of the section
    Schedule master_schedule;             // of the master section, wiped like the other

    bool acpkm() const { return master != 0; }
    const Schedule& now() const { return own ? schedule : key->schedule; }
    void end();
};

// More than the block that was begun has room for.
void take(Mac& mac, Bytes in, std::size_t size);

// The whole code, a block long.
void make_tag(Mac& mac, Out tag);

// What the last block of OMAC becomes before it enters the chain (GOST R 34.13-2015, 5.6.2): padded
// by procedure 3 and added to K1 or K2.
void close_block(std::uint8_t* block, std::size_t held, const Subkeys& subkeys, std::size_t n);

}  // namespace stend::gost
