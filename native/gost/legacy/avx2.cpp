// GOST 28147-89 with AVX2, in constant time: 8 or 32 blocks at once by byte shuffles, whose
// tables may be any set (magma/shuffles.h, magma/slices.h).
#if defined(__x86_64__)
#include <new>

#include "gost/legacy/assembled.h"
#include "gost/legacy/sets.h"
#include "gost/legacy/variants.h"
#include "gost/x86/intrinsics.h"
#include "isa/target.h"

STEND_FOR("avx2")
#include "gost/magma/few_avx2.h"
#include "gost/magma/shuffled_chains.h"

namespace stend::gost::legacy {
namespace {

using magma::Avx2Tables, magma::KeyWords, magma::LittleEndian;

struct Key {
    KeyWords words;
    const Avx2Tables* tables;
};

const Key& key_of(const Schedule& schedule) {
    return *reinterpret_cast<const Key*>(schedule.bytes);
}

struct Avx2 {
    static constexpr std::size_t block = 8;
    struct Lanes {};
    using Order = LittleEndian;

    static const KeyWords& words(const Schedule& schedule) { return key_of(schedule).words; }
    static const magma::Shuffles& tables(const Schedule& schedule) {
        return key_of(schedule).tables->shuffles;
    }

    static void schedule(Schedule& schedule, Cipher cipher, Bytes bytes) {
        new (schedule.bytes)
            Key{magma::key_words<LittleEndian>(bytes), &made_of_set<magma::avx2_tables>(cipher)};
    }

    template <typename Way>
    static void each(const Schedule& schedule, Bytes in, Out out, std::size_t blocks) {
        magma::blocks_by_avx2<LittleEndian, Way, Lanes>(in, out, blocks, words(schedule),
                                                        *key_of(schedule).tables);
    }
    static constexpr auto encrypt = each<magma::Encryption>;
    static constexpr auto decrypt = each<magma::Decryption>;
};

}  // namespace

constexpr Engine avx2 = assembled<Avx2>("avx2", {isa::avx2}, true, magma::chain_by_shuffles<Avx2>);

}  // namespace stend::gost::legacy
STEND_FOR_ANY
#endif
