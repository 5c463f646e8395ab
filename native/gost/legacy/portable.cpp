// GOST 28147-89 in plain C++ and in constant time: all eight substitutions of a word, and four
// blocks, at once (magma/nibbles.h).
#include <new>

#include "gost/legacy/assembled.h"
#include "gost/legacy/sets.h"
#include "gost/legacy/variants.h"
#include "gost/magma/nibbles.h"

namespace stend::gost::legacy {
namespace {

using magma::KeyWords, magma::LittleEndian, magma::Polynomials;

struct Key {
    KeyWords words;
    const Polynomials* polynomials;
};

template <typename Way>
void each(const Schedule& schedule, Bytes in, Out out, std::size_t blocks) {
    const Key& key = *reinterpret_cast<const Key*>(schedule.bytes);
    magma::blocks_by_nibbles<LittleEndian, Way>(in, out, blocks, key.words, *key.polynomials);
}

struct Portable {
    static constexpr std::size_t block = 8;

    static void schedule(Schedule& schedule, Cipher cipher, Bytes bytes) {
        new (schedule.bytes)
            Key{magma::key_words<LittleEndian>(bytes), &made_of_set<magma::polynomials>(cipher)};
    }
    static constexpr auto encrypt = each<magma::Encryption>;
    static constexpr auto decrypt = each<magma::Decryption>;

    struct Sixteen {
        static constexpr std::size_t block = 8;
        static constexpr auto encrypt = each<magma::FirstSixteen>;
    };
};

}  // namespace

constexpr Engine portable = assembled<Portable>("portable", {}, true, chain<Portable>);

}  // namespace stend::gost::legacy
