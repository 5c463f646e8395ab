// MGM (RFC 9058) in pieces: what is remembered between two of them.
#pragma once

#include "gost/modes/context.h"

namespace stend::gost {

struct MgmContext {
    std::uint32_t life;
    bool opening;
    bool message_begun;  // no more associated data
    unsigned threads;
    const Key* key;
    std::uint64_t associated_bytes, message_bytes;
    std::size_t held;                   // bytes in `block`
    std::uint8_t block[largest_block];  // the begun block: associated data, or ciphertext
    std::uint8_t gamma[largest_block];  // of the begun block of the message
    Mgm mgm;

    void end() { wipe(*this); }
};

void take_associated(MgmContext& mgm, Bytes in, std::size_t size);
void take_message(MgmContext& mgm, Bytes in, Out out, std::size_t size);

// The whole tag, a block long.
void make_tag(MgmContext& mgm, Out tag);

// Whether `more` bytes are still allowed: |A| + |P| is less than 2^(n/2) bits (RFC 9058, 4.1).
bool room_for(const MgmContext& mgm, std::size_t more);

}  // namespace stend::gost
