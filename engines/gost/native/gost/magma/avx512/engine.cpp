// Magma with AVX-512 (VBMI, GFNI, VPCLMULQDQ): README.md says how and how fast.
#if defined(__x86_64__)
#include "gost/generic.h"
#include "gost/magma/avx512/alone.h"
#include "gost/magma/variants.h"

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni,pclmul,vpclmulqdq")
namespace stend::gost::magma {
namespace {

using namespace avx512;

constexpr Shifts tc26_z_shifts = shifts(tc26_z);

struct Avx512 {
    static constexpr std::size_t block = 8;

    template <bool by_planes>
    static void schedule(Schedule& schedule, Cipher, Bytes key) {
        write_keys<Order::big>(schedule, tc26_z, tc26_z_shifts, key, by_planes);
    }
    static constexpr auto encrypt = transformed<Order::big, Way::encrypt>;
    static constexpr auto decrypt = transformed<Order::big, Way::decrypt>;

    static void count(const Schedule& schedule, Out counter, Bytes in, Out out,
                      std::size_t blocks) {
        auto c = Counter<Counts::whole>::of(counter);
        added(keys_of(schedule), c, in, out, blocks, blocks);
        c.store(counter);
    }

    static void absorb(const Schedule& schedule, Mgm& mgm, Bytes in, std::size_t blocks) {
        auto z = Counter<Counts::left>::of(mgm.z);
        Product sum;
        absorbed(keys_of(schedule), z, sum, in, blocks);
        add(mgm, sum);
        z.store(mgm.z);
    }
    static void seal(const Schedule& schedule, Mgm& mgm, Bytes in, Out out, std::size_t blocks) {
        sealed_or_opened<true>(schedule, mgm, in, out, blocks);
    }
    static void open(const Schedule& schedule, Mgm& mgm, Bytes in, Out out, std::size_t blocks) {
        sealed_or_opened<false>(schedule, mgm, in, out, blocks);
    }

private:
    static void add(Mgm& mgm, const Product& sum) {
        store_big(mgm.sum, load_big<std::uint64_t>(mgm.sum) ^ sum.reduced());
    }

    template <bool seals>
    static void sealed_or_opened(const Schedule& schedule, Mgm& mgm, Bytes in, Out out,
                                 std::size_t blocks) {
        const Keys& keys = keys_of(schedule);
        auto y = Counter<Counts::right>::of(mgm.y);
        auto z = Counter<Counts::left>::of(mgm.z);
        Product sum;
        for (; keys.by_planes && blocks >= batch;
             blocks -= batch, in += 8 * batch, out += 8 * batch) {
            if constexpr (!seals) absorbed(keys, z, sum, in, batch);
            added(keys, y, in, out, batch, blocks);
            if constexpr (seals) absorbed(keys, z, sum, out, batch);
        }
        sealed_by_words<seals>(keys, y, z, sum, in, out, blocks);
        add(mgm, sum);
        y.store(mgm.y);
        z.store(mgm.z);
    }
};

}  // namespace

constexpr Engine avx512::engine = {
    .name = "avx512",
    .needs = {isa::avx512, isa::avx512vbmi, isa::gfni, isa::vpclmulqdq},
    .constant_time = true,
    .schedule = Avx512::schedule<true>,
    .encrypt = Avx512::encrypt,
    .decrypt = Avx512::decrypt,
    .count = Avx512::count,
    .chain = avx512::chain<Order::big>,
    .cbc_decrypt = unchained<Avx512, Order::big, true>,
    .cfb_decrypt = unchained<Avx512, Order::big, false>,
    .absorb = Avx512::absorb,
    .seal = Avx512::seal,
    .open = Avx512::open,
    .stack = 7 * 1024,
    .stack_of_few = 2560,
    .few = batch - 1,
    .wipe_stack = wipe_stack_by_64,
};

constexpr Engine avx512::words_engine = [] {
    Engine made = avx512::engine;
    made.name = "avx512-words";
    made.schedule = Avx512::schedule<false>;
    made.encrypt = transformed_or_alone<Order::big, Way::encrypt>;
    made.decrypt = transformed_or_alone<Order::big, Way::decrypt>;
    made.chain = avx512::chain_or_alone<Order::big>;
    return made;
}();

}  // namespace stend::gost::magma
STEND_FOR_ANY
#endif
