// GOST 28147-89 in plain C++ and in constant time: all eight substitutions of a word, and four
// blocks, at once (magma/nibbles.h).
#include "gost/legacy/assembled.h"
#include "gost/legacy/sets.h"
#include "gost/legacy/variants.h"
#include "gost/magma/nibbles.h"

namespace stend::gost::legacy {
namespace {

using magma::KeyWords, magma::LittleEndian, magma::Polynomials;

struct Key {
    KeyWords words;
    Polynomials polynomials;
};

template <typename Way>
void each(const Schedule& schedule, Bytes in, Out out, std::size_t blocks) {
    Wiped<Key> key;
    std::memcpy(&key.value, schedule.bytes, sizeof key.value);
    magma::blocks_by_nibbles<LittleEndian, Way>(in, out, blocks, key.value.words,
                                                key.value.polynomials);
}

struct Portable {
    static constexpr std::size_t block = 8;

    static void schedule(Schedule& schedule, Cipher cipher, Bytes bytes) {
        Wiped<Key> key;
        key.value = {magma::key_words<LittleEndian>(bytes),
                     magma::polynomials(substitutions(cipher))};
        std::memcpy(schedule.bytes, &key.value, sizeof key.value);
    }
    static constexpr auto encrypt = each<magma::Encryption>;
    static constexpr auto decrypt = each<magma::Decryption>;

    struct Sixteen {
        static constexpr std::size_t block = 8;
        static constexpr auto encrypt = each<magma::FirstSixteen>;
    };
};

}  // namespace

constexpr Engine portable = assembled<Portable>("portable", {}, true);

}  // namespace stend::gost::legacy
