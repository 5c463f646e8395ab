// Magma with AVX2, in constant time: bitsliced in batches of 256 blocks, byte shuffles for few
// blocks and for chains, carry-less products for MGM.
#if defined(__x86_64__)
#include <new>

#include "gost/generic.h"
#include "gost/magma/variants.h"
#include "gost/magma/words.h"
#include "gost/sboxes.h"
#include "gost/x86/intrinsics.h"
#include "isa/target.h"

STEND_FOR("avx2,bmi2,pclmul")
#include "gost/magma/carryless.h"
#include "gost/magma/counting.h"
#include "gost/magma/few_avx2.h"
#include "gost/magma/shifts.h"
#include "gost/magma/shuffled_chains.h"

namespace stend::gost::magma {
namespace {

struct Avx2Lanes {
    using Vector = std::uint64_t __attribute__((vector_size(32)));
    static constexpr unsigned words = 4;
};

constexpr Avx2Tables tc26_z_tables = avx2_tables(tc26_z);

struct Avx2 {
    static constexpr std::size_t block = 8;
    using Lanes = Avx2Lanes;
    using Order = BigEndian;
    using Product = CarrylessProduct<Avx2Lanes>;
    static constexpr std::size_t worth = 224;

    struct Key {
        KeyPlanes planes[8];
        KeyWords words;
    };
    static_assert(sizeof(Key) <= sizeof(Schedule));

    static const Key& key(const Schedule& schedule) {
        return *reinterpret_cast<const Key*>(schedule.bytes);
    }

    struct Keys {
        const KeyPlanes* at;
        explicit Keys(const Schedule& schedule) : at(key(schedule).planes) {}
    };
    static const KeyWords& words(const Schedule& schedule) { return key(schedule).words; }
    static const Shuffles& tables(const Schedule&) { return tc26_z_tables.shuffles; }
    static const Shifts& shifts(const Schedule&) { return tc26_z_tables.shifts; }

    static void schedule(Schedule& schedule, Cipher, Bytes bytes) {
        Key& made = *new (schedule.bytes) Key;
        made.words = key_words<BigEndian>(bytes);
        for (unsigned i = 0; i < 8; ++i) key_planes(made.words[i], reads_offset(i), made.planes[i]);
    }

    template <typename Way>
    static void few(const Schedule& schedule, Bytes in, Out out, std::size_t blocks) {
        blocks_by_avx2<BigEndian, Way, Lanes>(in, out, blocks, words(schedule), tc26_z_tables);
    }

    static constexpr auto encrypt = each<Avx2, Encryption>;
    static constexpr auto decrypt = each<Avx2, Decryption>;
};

}  // namespace

constexpr Engine avx2 =
    counting_engine<Avx2>("avx2", {isa::avx2, isa::bmi2, isa::pclmul}, chain_by_shuffles<Avx2>);

}  // namespace stend::gost::magma
STEND_FOR_ANY
#endif
