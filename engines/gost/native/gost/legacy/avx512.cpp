// GOST 28147-89 with AVX-512 (VBMI), in constant time: Magma's byte permutes, whose tables may be
// any set (magma/avx512/words.h), in this cipher's order of bytes.
#if defined(__x86_64__)
#include "gost/legacy/assembled.h"
#include "gost/legacy/sets.h"
#include "gost/legacy/variants.h"
#include "gost/magma/avx512/alone.h"

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni,pclmul,vpclmulqdq")
namespace stend::gost::legacy {
namespace {

using magma::avx512::Order, magma::avx512::Way;

struct Avx512 {
    static constexpr std::size_t block = 8;

    // There are circuits for one set alone.
    template <bool by_planes>
    static void keyed(Schedule& schedule, Cipher cipher, Bytes key) {
        magma::avx512::write_keys<Order::little>(schedule, substitutions(cipher),
                                                 made_of_set<magma::shifts>(cipher), key,
                                                 by_planes && cipher == Cipher::gost28147_tc26_z);
    }
    static constexpr auto schedule = keyed<true>;
    static constexpr auto encrypt = magma::avx512::transformed<Order::little, Way::encrypt>;
    static constexpr auto decrypt = magma::avx512::transformed<Order::little, Way::decrypt>;
};

}  // namespace

constexpr Engine avx512 = [] {
    Engine engine =
        assembled<Avx512>("avx512", {isa::avx512, isa::avx512vbmi, isa::gfni, isa::vpclmulqdq},
                          true, magma::avx512::chain<Order::little>);
    engine.cbc_decrypt = magma::avx512::unchained<Avx512, Order::little, true>;
    engine.cfb_decrypt = magma::avx512::unchained<Avx512, Order::little, false>;
    engine.stack = 11 * 1024;
    engine.stack_of_few = 2560;
    engine.wipe_stack = wipe_stack_by_64;
    return engine;
}();

constexpr Engine avx512_words = [] {
    Engine engine = avx512;
    engine.name = "avx512-words";
    engine.schedule = Avx512::keyed<false>;
    engine.encrypt = magma::avx512::transformed_or_alone<Order::little, Way::encrypt>;
    engine.decrypt = magma::avx512::transformed_or_alone<Order::little, Way::decrypt>;
    engine.chain = magma::avx512::chain_or_alone<Order::little>;
    return engine;
}();

}  // namespace stend::gost::legacy
STEND_FOR_ANY
#endif
