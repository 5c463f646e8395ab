// The variant avx2-gfni: thirty-two blocks at a time, pairs of blocks, one block. Constant time: no
// look-up but in tables of 16 bytes within a register.
#include "gost/kuznyechik/gfni/chain.h"
#include "gost/kuznyechik/gfni/many.h"

#if defined(__x86_64__)
#include <algorithm>
#include <new>

#include "gost/generic.h"
#include "gost/kuznyechik/variants.h"
#include "gost/wipe.h"

STEND_FOR("avx2,pclmul")
#include "gost/kuznyechik/carryless.h"
STEND_FOR_ANY

namespace stend::gost::kuznyechik {
namespace gfni {

STEND_FOR("avx2,gfni,pclmul")
namespace {

struct Gfni {
    static constexpr std::size_t block = 16;
    using Product = CarrylessProduct<Gfni>;

    static const Keys& keys_of(const Schedule& schedule) {
        return *std::launder(reinterpret_cast<const Keys*>(schedule.bytes));
    }

    // 4.3: each pair of keys is eight steps on from the one before.
    static void expand(Keys& keys, Bytes key) {
        static constexpr auto constants = iteration_constants();
        const auto keep = [&](std::size_t i, V x) {
            _mm_storeu_si128(reinterpret_cast<__m128i*>(keys.line[i].data()),
                             _mm256_castsi256_si128(x));
        };
        const V to_own = all(between(plain, own));
        V a = affine<0>(both(key), to_own), b = affine<0>(both(key + 16), to_own);
        keep(0, a), keep(1, b);
        for (std::size_t i = 0; i < 32; ++i) {
            const V x = a ^ affine<0>(both(constants[i].data()), to_own);
            const V next = transformed_one(substitute_soon(x), one_forward, b);
            b = a, a = next;
            if (i % 8 == 7) keep(i / 4 + 1, a), keep(i / 4 + 2, b);
        }
    }

    static void schedule(Schedule& schedule, Cipher, Bytes key) {
        Keys& keys = *new (schedule.bytes) Keys;
        expand(keys, key);
        const V to_state = all(between(own, state));
        Wiped<std::uint8_t[32]> line;
        for (std::size_t i = 0; i < 10; ++i) {
            const V x = key_of(keys, static_cast<int>(i));
            _mm256_storeu_si256(reinterpret_cast<V*>(line.value), affine<0>(x, to_state));
            for (std::size_t j = 0; j < 16; ++j) keys.repeated[i][j] = four_times(line.value[j]);
            if (i == 0) continue;
            const V before =
                affine<0>(transformed_one(x, one_back, _mm256_setzero_si256()), to_state);
            _mm256_storeu_si256(reinterpret_cast<V*>(line.value), before);
            for (std::size_t j = 0; j < 16; ++j)
                for (std::size_t c = 0; c < 16; ++c)
                    keys.of_class[i - 1][j][c] = in_state.of_class[c] ^ line.value[j];
        }
    }

    // One to 31 blocks, by pairs as far as they go.
    template <auto eight, auto four, auto two, auto one>
    static void few(const Keys& keys, Bytes in, Out out, std::size_t blocks) {
        for (; blocks >= 8; blocks -= 8, in += 128, out += 128) eight(keys, in, out);
        if (blocks & 4) four(keys, in, out), in += 64, out += 64;
        if (blocks & 2) two(keys, in, out), in += 32, out += 32;
        if (blocks & 1) one(keys, in, out);
    }

    // From so many blocks on a batch that is filled up is faster than pairs.
    static constexpr std::size_t worth_a_batch = 25;

    template <auto batches>
    [[gnu::noinline]] static void padded_batch(const Keys& keys, Bytes in, Out out,
                                               std::size_t blocks) {
        Wiped<std::uint8_t[many * block]> padded;
        std::memset(padded.value, 0, sizeof padded.value);
        std::memcpy(padded.value, in, blocks * block);
        batches(keys, padded.value, padded.value, 1);
        std::memcpy(out, padded.value, blocks * block);
    }

    template <auto batches, auto rest>
    static void each(const Schedule& schedule, Bytes in, Out out, std::size_t blocks) {
        const Keys& keys = keys_of(schedule);
        if (const std::size_t whole = blocks / many; whole > 0) {
            batches(keys, in, out, whole);
            in += whole * many * block, out += whole * many * block;
            blocks %= many;
        }
        if (blocks >= worth_a_batch)
            padded_batch<batches>(keys, in, out, blocks);
        else
            rest(keys, in, out, blocks);
    }

    static void encrypt(const Schedule& schedule, Bytes in, Out out, std::size_t blocks) {
        each<encrypt_many, few<encrypt_pairs<4>, encrypt_pairs<2>, encrypt_pairs<1>, encrypt_one>>(
            schedule, in, out, blocks);
    }
    static void decrypt(const Schedule& schedule, Bytes in, Out out, std::size_t blocks) {
        each<decrypt_many, few<decrypt_pairs<4>, decrypt_pairs<2>, decrypt_pairs<1>, decrypt_one>>(
            schedule, in, out, blocks);
    }

    static void chain(Feed feed, std::span<const Lane> lanes, std::size_t blocks) {
        if (lanes.size() != 1) return generic::chain<Gfni>(feed, lanes, blocks);
        chain_one(feed, keys_of(*lanes[0].schedule), lanes[0], blocks);
    }
};

}  // namespace
STEND_FOR_ANY

}  // namespace gfni

constexpr Engine avx2_gfni = [] {
    Engine made =
        generic::engine_of<gfni::Gfni>("avx2-gfni", {isa::avx2, isa::gfni, isa::pclmul}, true);
    made.chain = gfni::Gfni::chain;
    made.stack = 7 * 1024;
    made.stack_of_few = 2048;
    return made;
}();

}  // namespace stend::gost::kuznyechik
#endif
