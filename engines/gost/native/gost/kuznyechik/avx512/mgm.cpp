// MGM (RFC 9058, 4.1): both keystreams are counters, one covers the message, the other multiplies.
#if defined(__x86_64__)
#include <algorithm>

#include "gost/block.h"
#include "gost/kuznyechik/avx512/parts.h"
#include "gost/wipe.h"
#include "gost/x86/secret.h"
#include "isa/target.h"

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni,pclmul,vpclmulqdq")
#include "gost/kuznyechik/avx512/counters.h"
#include "gost/kuznyechik/avx512/few_counters.h"
#include "gost/kuznyechik/avx512/product.h"

namespace stend::gost::kuznyechik {
namespace sliced {
namespace {

void advance_left(std::uint8_t* counter, std::uint64_t by) {
    advance_half<16>(counter, by);
}
void advance_right(std::uint8_t* counter, std::uint64_t by) {
    advance_half<16>(counter + 8, by);
}
using CountingY = Counters<15, advance_right>;
using CountingZ = Counters<7, advance_left>;

enum class Way { seal, open };

// products += h x.
void multiply(const Batch& h, Bytes x, Products& products) {
    // The bytes in the wrong order make numbers of the blocks, which are wanted here.
    const auto row = [&](unsigned i) __attribute__((always_inline)) {
        return h.s[i];
    };
    unslice(
        row, [&](unsigned i, Vector factor) __attribute__((always_inline)) {
            products.add(factor, turned_round(_mm512_loadu_si512(x + 64 * i)));
        });
}

// Associated data.
void absorb_many(const wide::Keys& keys, Mgm& mgm, Bytes in, std::size_t blocks) {
    Wiped<Batch[2]> work;
    auto& [a, b] = work.value;
    Products products;
    CountingZ z(keys, mgm.z);
    for (; blocks >= 2 * batch; blocks -= 2 * batch, in += 32 * batch) {
        z.next(a);
        z.next(b);
        encrypt_two(keys.bulk, a, b, 2, Ahead());
        multiply(a, in, products);
        multiply(b, in + 16 * batch, products);
    }
    while (blocks > 0) {
        const std::size_t now = std::min(blocks, batch);
        const Window window(in, nullptr, now);
        z.next(a, now);
        encrypt_one(keys.bulk, a, 2);
        multiply(a, window.in(), products);
        blocks -= now, in += 16 * now;
    }
    products.add_to(mgm.sum);
    wipe(products);
}

// A message's: what is added up is the encrypted one.
template <Way way>
void cover_many(const wide::Keys& keys, Mgm& mgm, Bytes in, Out out, std::size_t blocks) {
    Wiped<Batch[2]> work;
    auto& [gamma, h] = work.value;
    Products products;
    CountingY y(keys, mgm.y);
    CountingZ z(keys, mgm.z);
    while (blocks > 0) {
        const std::size_t now = std::min(blocks, batch);
        y.next(gamma, now);
        z.next(h, now);
        encrypt_two(keys.bulk, gamma, h, 2, Ahead::of(in, out, now, blocks));
        Window window(in, out, now);
        if (way == Way::open) multiply(h, window.in(), products);
        cover(gamma, window.in(), window.out());
        window.clear_rest();
        if (way == Way::seal) multiply(h, window.out(), products);
        blocks -= now, in += 16 * now, out += 16 * now;
    }
    products.add_to(mgm.sum);
    wipe(products);
}

// The products of a few blocks.
void multiply_few(Bytes h, Bytes x, Out sum_of, std::size_t blocks) {
    Products products;
    for (std::size_t i = 0; i < blocks; i += 4) {
        const std::size_t now = std::min<std::size_t>(blocks - i, 4);
        const auto there = static_cast<__mmask8>((1U << (2 * now)) - 1);
        products.add(turned_round(_mm512_maskz_loadu_epi64(there, h + 16 * i)),
                     turned_round(_mm512_maskz_loadu_epi64(there, x + 16 * i)));
    }
    products.add_to(sum_of);
    wipe(products);
}

template <std::size_t most>
void absorb_up_to(const wide::Keys& keys, Mgm& mgm, Bytes in, std::size_t blocks) {
    Wiped<std::uint8_t[room_for(most)]> h;
    write_counters<Counts::left_half>(mgm.z, h.value, blocks);
    encrypt_few(keys, h.value, h.value, blocks);
    multiply_few(h.value, in, mgm.sum, blocks);
}

template <std::size_t most, Way way>
void cover_up_to(const Schedule& schedule, Mgm& mgm, Bytes in, Out out, std::size_t blocks) {
    Wiped<std::uint8_t[room_for(2 * most)]> both;
    std::uint8_t *const gamma = both.value, *const h = gamma + 16 * blocks;
    write_counters<Counts::right_half>(mgm.y, gamma, blocks);
    write_counters<Counts::left_half>(mgm.z, h, blocks);
    wide::encrypt(schedule, gamma, gamma, 2 * blocks);
    if (way == Way::open) multiply_few(h, in, mgm.sum, blocks);
    cover_few_blocks(gamma, in, out, blocks);
    if (way == Way::seal) multiply_few(h, out, mgm.sum, blocks);
}

// Memory is overwritten after its use, so that there is little of it where little is needed.
constexpr std::size_t fewest = 16;

void absorb_few(const wide::Keys& keys, Mgm& mgm, Bytes in, std::size_t blocks) {
    (blocks <= fewest ? absorb_up_to<fewest> : absorb_up_to<most_few>)(keys, mgm, in, blocks);
}

template <Way way>
void cover_few(const Schedule& schedule, Mgm& mgm, Bytes in, Out out, std::size_t blocks) {
    (blocks <= fewest ? cover_up_to<fewest, way> : cover_up_to<most_few, way>)(schedule, mgm, in,
                                                                               out, blocks);
}

template <Way way>
void cover_all(const Schedule& schedule, Mgm& mgm, Bytes in, Out out, std::size_t blocks) {
    const wide::Keys& keys = wide::keys_of(schedule);
    const std::size_t rest = few(blocks), most = blocks - rest;
    if (most > 0) cover_many<way>(keys, mgm, in, out, most);
    if (rest > 0) cover_few<way>(schedule, mgm, in + 16 * most, out + 16 * most, rest);
}

}  // namespace
}  // namespace sliced

namespace wide {

void absorb(const Schedule& schedule, Mgm& mgm, Bytes in, std::size_t blocks) {
    const Keys& keys = keys_of(schedule);
    const std::size_t rest = sliced::few(blocks), most = blocks - rest;
    if (most > 0) sliced::absorb_many(keys, mgm, in, most);
    if (rest > 0) sliced::absorb_few(keys, mgm, in + 16 * most, rest);
}

void seal(const Schedule& schedule, Mgm& mgm, Bytes in, Out out, std::size_t blocks) {
    sliced::cover_all<sliced::Way::seal>(schedule, mgm, in, out, blocks);
}

void open(const Schedule& schedule, Mgm& mgm, Bytes in, Out out, std::size_t blocks) {
    sliced::cover_all<sliced::Way::open>(schedule, mgm, in, out, blocks);
}

}  // namespace wide
}  // namespace stend::gost::kuznyechik
STEND_FOR_ANY
#endif
