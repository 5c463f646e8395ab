// The variant avx2: 256 blocks at a time as gates on vectors of 256 bits, 32 by bytes and look-ups
// in registers, one block. Constant time: no look-up but in tables of 16 bytes within a register.
#if defined(__x86_64__)
#include <new>

#include "gost/generic.h"
#include "gost/kuznyechik/avx2/few.h"
#include "gost/kuznyechik/avx2/one.h"
#include "gost/kuznyechik/variants.h"
#include "gost/wipe.h"

STEND_FOR("avx2,pclmul")
#include "gost/kuznyechik/bitslice/bulk.h"
#include "gost/kuznyechik/carryless.h"

namespace stend::gost::kuznyechik {
namespace avx2_only {
namespace {

struct Lanes {
    using Vector [[gnu::vector_size(32)]] = std::uint64_t;

    [[gnu::always_inline]] static inline Vector all(std::uint32_t mask) {
        return Vector(_mm256_set1_epi32(static_cast<int>(mask)));
    }
    [[gnu::always_inline]] static inline Vector interleaved_low(Vector a, Vector b) {
        return Vector(_mm256_unpacklo_epi8(__m256i(a), __m256i(b)));
    }
    [[gnu::always_inline]] static inline Vector interleaved_high(Vector a, Vector b) {
        return Vector(_mm256_unpackhi_epi8(__m256i(a), __m256i(b)));
    }
};
using Gates = bitslice::Bulk<Lanes>;

struct Avx2 {
    static constexpr std::size_t block = 16;
    static constexpr std::size_t many = 32;  // blocks
    using Product = CarrylessProduct<Avx2>;

    static const Keys& keys_of(const Schedule& schedule) {
        return *std::launder(reinterpret_cast<const Keys*>(schedule.bytes));
    }

    // 4.3: each pair of keys is eight steps on from the one before.
    static void expand(Keys& keys, Bytes key) {
        static constexpr auto constants = iteration_constants();
        V a = twice(key), b = twice(key + 16);
        keep(keys.line[0].data(), a), keep(keys.line[1].data(), b);
        for (std::size_t i = 0; i < 32; ++i) {
            const V next = round(a ^ twice(constants[i].data()), b);
            b = a, a = next;
            if (i % 8 == 7)
                keep(keys.line[i / 4 + 1].data(), a), keep(keys.line[i / 4 + 2].data(), b);
        }
    }

    // A line in another basis, each byte four times.
    static void spread(V line, const Tower& basis, std::uint32_t* to) {
        const Bases& b = &basis == &tower ? forth : back;
        Wiped<std::uint8_t[16]> bytes;
        keep(bytes.value, applied(b.taken, halved(line, lower_half())));
        for (std::size_t i = 0; i < 16; ++i) to[i] = bytes.value[i] * 0x01010101U;
    }

    static void schedule(Schedule& schedule, Cipher, Bytes key) {
        Keys& keys = *new (schedule.bytes) Keys;
        expand(keys, key);
        const V zero = _mm256_setzero_si256();
        for (std::size_t i = 0; i < 10; ++i) {
            const V line = twice(keys.line[i].data());
            spread(line, tower_back, keys.back[i]);
            spread(i == 0 ? line : reversed(transformed(reversed(line), zero)), tower,
                   keys.forward[i]);
        }
    }

    // The bits of the keys for the gates, which leave pi(0) out: L of it is added here.
    static void spread_bits(const Keys& keys, bitslice::Keys& bits) {
        const V each = _mm256_set_epi32(128, 64, 32, 16, 8, 4, 2, 1);
        for (std::size_t i = 0; i < 10; ++i)
            for (std::size_t j = 0; j < 16; ++j) {
                const int byte = keys.line[i][j] ^ (i == 0 ? 0 : bitslice::missing[j]);
                const V set = _mm256_cmpeq_epi32(_mm256_set1_epi32(byte) & each, each);
                _mm256_storeu_si256(reinterpret_cast<V*>(bits.mask[i][j]), set);
            }
    }

    template <auto batch>
    [[gnu::noinline]] static void by_gates(const Keys& keys, Bytes in, Out out,
                                           std::size_t batches) {
        Wiped<bitslice::Keys> bits;
        spread_bits(keys, bits.value);
        Wiped<Gates::State> state;
        for (; batches > 0; --batches, in += 16 * Gates::blocks, out += 16 * Gates::blocks)
            batch(bits.value, state.value, in, out);
    }

    template <auto batch>
    [[gnu::noinline]] static void by_bytes(const Keys& keys, Bytes in, Out out,
                                           std::size_t batches) {
        Wiped<Cells> cells;
        for (; batches > 0; --batches, in += 16 * many, out += 16 * many)
            batch(keys, cells.value, in, out);
    }

    // Fewer blocks than a batch has, in one that is filled up.
    template <std::size_t most, typename State, auto batch>
    [[gnu::noinline]] static void filled_up(const Keys& keys, Bytes in, Out out,
                                            std::size_t blocks) {
        Wiped<State> state;
        Wiped<std::uint8_t[most * block]> padded;
        std::memset(padded.value, 0, sizeof padded.value);
        std::memcpy(padded.value, in, blocks * block);
        batch(keys, state.value, padded.value, padded.value);
        std::memcpy(out, padded.value, blocks * block);
    }

    // What is fastest for how many blocks.
    static constexpr std::size_t most_of_few = 16, most_by_one = 3;

    template <auto gates, auto bytes, auto sixteen, auto one>
    static void each(const Schedule& schedule, Bytes in, Out out, std::size_t blocks) {
        const Keys& keys = keys_of(schedule);
        const auto go_on = [&](std::size_t done) {
            in += done * block, out += done * block, blocks -= done;
        };
        if (const std::size_t batches = blocks / Gates::blocks; batches > 0) {
            by_gates<gates>(keys, in, out, batches);
            go_on(batches * Gates::blocks);
        }
        if (const std::size_t batches = blocks / many; batches > 0) {
            by_bytes<bytes>(keys, in, out, batches);
            go_on(batches * many);
        }
        if (blocks > most_of_few)
            filled_up<many, Cells, bytes>(keys, in, out, blocks);
        else if (blocks > most_by_one)
            filled_up<most_of_few, Split, sixteen>(keys, in, out, blocks);
        else
            while (blocks > 0) one(keys, in, out), go_on(1);
    }

    static void encrypt(const Schedule& schedule, Bytes in, Out out, std::size_t blocks) {
        each<Gates::encrypt, encrypt_batch, encrypt_sixteen, encrypt_one>(schedule, in, out,
                                                                          blocks);
    }
    static void decrypt(const Schedule& schedule, Bytes in, Out out, std::size_t blocks) {
        each<Gates::decrypt, decrypt_batch, decrypt_sixteen, decrypt_one>(schedule, in, out,
                                                                          blocks);
    }

    static void chain(Feed feed, std::span<const Lane> lanes, std::size_t blocks) {
        if (lanes.size() != 1) return generic::chain<Avx2>(feed, lanes, blocks);
        chain_one(feed, keys_of(*lanes[0].schedule), lanes[0], blocks);
    }
};

}  // namespace
}  // namespace avx2_only
STEND_FOR_ANY

constexpr Engine avx2 = [] {
    using avx2_only::Avx2;
    Engine made = generic::engine_of<Avx2>("avx2", {isa::avx2, isa::pclmul}, true);
    made.chain = Avx2::chain;
    made.stack = 20 * 1024;
    made.stack_of_few = 3328;
    return made;
}();

}  // namespace stend::gost::kuznyechik
#endif
