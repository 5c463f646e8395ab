// GOST 28147-89 with AVX2, in constant time: 8 or 32 blocks at once by byte shuffles, whose
// tables may be any set (magma/shuffles.h, magma/slices.h).
#if defined(__x86_64__)
#include "gost/legacy/by_set.h"
#include "gost/legacy/variants.h"
#include "gost/x86/intrinsics.h"
#include "isa/target.h"

STEND_FOR("avx2,bmi2")
#include "gost/magma/few_avx2.h"
#include "gost/magma/shuffled_chains.h"

namespace stend::gost::legacy {
namespace {

using magma::KeyWords, magma::LittleEndian;
using Key = KeyBySet<magma::avx2_tables>;

struct Avx2 {
    static constexpr std::size_t block = 8;
    struct Lanes {};
    using Order = LittleEndian;

    static const KeyWords& words(const Schedule& schedule) { return Key::of(schedule).words; }
    static const magma::Shuffles& tables(const Schedule& schedule) {
        return Key::of(schedule).made->shuffles;
    }
    static const magma::Shifts& shifts(const Schedule& schedule) {
        return Key::of(schedule).made->shifts;
    }

    static constexpr auto schedule = Key::schedule;

    template <typename Way>
    static void each(const Schedule& schedule, Bytes in, Out out, std::size_t blocks) {
        magma::blocks_by_avx2<LittleEndian, Way, Lanes>(in, out, blocks, words(schedule),
                                                        *Key::of(schedule).made);
    }
    static constexpr auto encrypt = each<magma::Encryption>;
    static constexpr auto decrypt = each<magma::Decryption>;
};

}  // namespace

constexpr Engine avx2 =
    assembled<Avx2>("avx2", {isa::avx2, isa::bmi2}, true, magma::chain_by_shuffles<Avx2>);

}  // namespace stend::gost::legacy
STEND_FOR_ANY
#endif
