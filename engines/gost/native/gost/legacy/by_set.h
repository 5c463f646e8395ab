// Variants that work with the words of the key and with what the compiler made of the set: their
// schedule is the words and a pointer to that.
#pragma once

#include <new>

#include "gost/legacy/assembled.h"
#include "gost/legacy/sets.h"

namespace stend::gost::legacy {

template <auto make>
struct KeyBySet {
    magma::KeyWords words;
    const decltype(make(tc26_z))* made;

    static const KeyBySet& of(const Schedule& schedule) {
        return *std::launder(reinterpret_cast<const KeyBySet*>(schedule.bytes));
    }
    static void schedule(Schedule& schedule, Cipher cipher, Bytes key) {
        new (schedule.bytes)
            KeyBySet{magma::key_words<magma::LittleEndian>(key), &made_of_set<make>(cipher)};
    }
};

// All of a variant but its way with blocks: Work::blocks<Way>(in, out, blocks, words, made).
template <auto make, typename Work>
struct BySet {
    static constexpr std::size_t block = 8;

    template <typename Way>
    static void each(const Schedule& schedule, Bytes in, Out out, std::size_t blocks) {
        const auto& key = KeyBySet<make>::of(schedule);
        Work::template blocks<Way>(in, out, blocks, key.words, *key.made);
    }

    static constexpr auto schedule = KeyBySet<make>::schedule;
    static constexpr auto encrypt = each<magma::Encryption>;
    static constexpr auto decrypt = each<magma::Decryption>;

    struct Sixteen {
        static constexpr std::size_t block = 8;
        static constexpr auto encrypt = each<magma::FirstSixteen>;
    };
};

}  // namespace stend::gost::legacy
