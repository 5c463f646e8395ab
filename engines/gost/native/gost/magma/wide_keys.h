// The constants of a key's words as whole vectors, for processors that have no instruction to
// repeat a word out of memory.
#pragma once

#include "gost/magma/bitslice.h"
#include "gost/wipe.h"

namespace stend::gost::magma {

template <typename Lanes>
struct WideKeys {
    struct Word {
        typename Lanes::Vector half[32], carry[32];
    };
    Word at[8];

    // A schedule that begins with the words of the key.
    explicit WideKeys(const Schedule& schedule) {
        Wiped<KeyWords> words;
        std::memcpy(&words.value, schedule.bytes, sizeof words.value);
        Wiped<KeyPlanes> planes;
        for (unsigned i = 0; i < 8; ++i) {
            key_planes(words.value[i], reads_offset(i), planes.value);
            for (unsigned bit = 0; bit < 32; ++bit) {
                at[i].half[bit] = typename Lanes::Vector{} + planes.value.half[bit];
                at[i].carry[bit] = typename Lanes::Vector{} + planes.value.carry[bit];
            }
        }
    }
    WideKeys(const WideKeys&) = delete;
    WideKeys& operator=(const WideKeys&) = delete;
    ~WideKeys() { wipe(at, sizeof at); }
};

}  // namespace stend::gost::magma
