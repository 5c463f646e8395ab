// What the public structures hold: keys, and how a context lives, fails and ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#include "gost/engine.h"
#include "gost/wipe.h"
#include "stend/gost.h"

namespace stend::gost {

using Status = stend_gost_status;

// What OMAC adds to the last block: K1 if it is whole, else K2 (GOST R 34.13-2015, 5.6.1).
struct Subkeys {
    std::uint8_t whole[largest_block], padded[largest_block];
};

// A key, as a variant keeps it. A wiped one has no engine.
struct Key {
    Schedule schedule;
    const Engine* engine;
    Cipher cipher;
    Subkeys subkeys;  // not of GOST 28147-89, which has no OMAC

    std::size_t block() const { return block_bytes(cipher); }
    bool legacy() const { return cipher != Cipher::kuznyechik && cipher != Cipher::magma; }
};

// A block has 16 or 8 bytes, so that nothing needs to be divided: a division takes as long as much
// of what is done for a short message.
constexpr std::size_t blocks_in(std::size_t bytes, std::size_t block) {
    return block == 16 ? bytes >> 4 : bytes >> 3;
}

constexpr std::size_t rest_of(std::size_t bytes, std::size_t block) {
    return bytes & (block - 1);
}

// What a context in use begins with; one that ended, and memory of zeros, has another value.
inline constexpr std::uint32_t alive = 0x74534f47;

// The memory of a public structure as what lies in it.
template <typename Inside, typename Opaque>
Inside& inside(Opaque* opaque) {
    static_assert(sizeof(Inside) <= sizeof(Opaque) && alignof(Inside) <= alignof(Opaque));
    return *std::launder(reinterpret_cast<Inside*>(opaque->opaque));
}

// The key, or null when it was wiped or none is given.
inline const Key* made(const stend_gost_key* key) {
    if (!key) return nullptr;
    const Key& found = inside<const Key>(key);
    return found.engine ? &found : nullptr;
}

// Makes a context anew in a public structure's memory; what it doesn't set is left as it is.
template <typename Inside, typename Opaque>
Inside& begun(Opaque* opaque) {
    static_assert(sizeof(Inside) <= sizeof(Opaque) && alignof(Inside) <= alignof(Opaque));
    return *new (opaque->opaque) Inside;
}

// Ends a context that failed.
template <typename Inside>
Status failed(Inside& context, Status status) {
    context.end();
    return status;
}

}  // namespace stend::gost
