// GOST 28147-89 with AVX-512 (VBMI), in constant time: Magma's byte permutes, whose tables may be
// any set (magma/avx512/words.h), in this cipher's order of bytes.
#if defined(__x86_64__)
#include "gost/legacy/assembled.h"
#include "gost/legacy/sets.h"
#include "gost/legacy/variants.h"
#include "gost/magma/avx512/bulk.h"

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni,pclmul,vpclmulqdq")
namespace stend::gost::legacy {
namespace {

using magma::avx512::Order, magma::avx512::Way;

struct Avx512 {
    static constexpr std::size_t block = 8;

    static void schedule(Schedule& schedule, Cipher cipher, Bytes key) {
        magma::avx512::write_keys<Order::little>(schedule, substitutions(cipher), key);
    }
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

}  // namespace stend::gost::legacy
STEND_FOR_ANY
#endif
