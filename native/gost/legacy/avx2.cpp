// GOST 28147-89 with AVX2, in constant time: eight blocks at once by byte shuffles, whose tables
// may be any set (magma/shuffles.h).
#if defined(__x86_64__)
#include <new>

#include <immintrin.h>

#include "gost/legacy/assembled.h"
#include "gost/legacy/sets.h"
#include "gost/legacy/variants.h"
#include "isa/target.h"

STEND_FOR("avx2")
#include "gost/magma/shuffled_chains.h"

namespace stend::gost::legacy {
namespace {

using magma::KeyWords, magma::LittleEndian, magma::Shuffles;

struct Key {
    KeyWords words;
    const Shuffles* tables;
};

const Key& key_of(const Schedule& schedule) {
    return *reinterpret_cast<const Key*>(schedule.bytes);
}

struct Avx2 {
    static constexpr std::size_t block = 8;
    struct Lanes {};
    using Order = LittleEndian;

    static const KeyWords& words(const Schedule& schedule) { return key_of(schedule).words; }
    static const Shuffles& tables(const Schedule& schedule) { return *key_of(schedule).tables; }

    static void schedule(Schedule& schedule, Cipher cipher, Bytes bytes) {
        new (schedule.bytes) Key{magma::key_words<LittleEndian>(bytes),
                                 &made_of_set<magma::shuffles>(cipher)};
    }

    template <typename Way>
    static void each(const Schedule& schedule, Bytes in, Out out, std::size_t blocks) {
        magma::blocks_by_shuffles<LittleEndian, Way, Lanes>(in, out, blocks, words(schedule),
                                                            tables(schedule));
    }
    static constexpr auto encrypt = each<magma::Encryption>;
    static constexpr auto decrypt = each<magma::Decryption>;
};

}  // namespace

constexpr Engine avx2 =
    assembled<Avx2>("avx2", {isa::avx2}, true, magma::chain_by_shuffles<Avx2>);

}  // namespace stend::gost::legacy
STEND_FOR_ANY
#endif
