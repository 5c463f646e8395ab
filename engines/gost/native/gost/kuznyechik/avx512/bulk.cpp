// Encryption and decryption of many independent blocks: ECB, and CBC and CFB decrypted.
#if defined(__x86_64__)
#include <algorithm>

#include "gost/generic.h"
#include "gost/kuznyechik/avx512/parts.h"
#include "gost/wipe.h"
#include "gost/x86/secret.h"
#include "isa/target.h"

STEND_FOR("avx512f,avx512bw,avx512vbmi,gfni")
#include "gost/kuznyechik/avx512/batches.h"

namespace stend::gost::kuznyechik {
namespace sliced {
namespace {

// Where the blocks go: as they are, or with others added to them, which may lie where they go.
struct Plainly {
    STEND_INLINE auto at(Out out, std::size_t) const { return blocks_to(out); }
};
struct Added {
    Bytes others;

    STEND_INLINE auto at(Out out, std::size_t blocks) const {
        const Bytes from = others + 16 * blocks;
        return [=](unsigned i, Vector x) __attribute__((always_inline)) {
            _mm512_storeu_si512(out + 64 * i, sum(x, _mm512_loadu_si512(from + 64 * i)));
        };
    }
};

template <bool inverse, typename Sink>
STEND_INLINE void give(const BulkKeys& keys, const Batch& work, Sink sink) {
    if constexpr (inverse)
        unslice(decrypted(keys, work), sink);
    else
        unslice(encrypted(work), sink);
}

template <bool inverse, typename Way>
void one_batch(const BulkKeys& keys, Batch& work, Bytes in, Out out, Way way) {
    slice<inverse>(keys, work, blocks_at(in));
    inverse ? decrypt_one(keys, work) : encrypt_one(keys, work, 1);
    give<inverse>(keys, work, way.at(out, 0));
}

template <bool inverse, typename Way>
void two_batches(const BulkKeys& keys, Batch (&work)[2], Bytes in, Out out, Way way, Ahead ahead) {
    slice<inverse>(keys, work[0], blocks_at(in));
    slice<inverse>(keys, work[1], blocks_at(in + 16 * batch));
    inverse ? decrypt_two(keys, work[0], work[1], ahead)
            : encrypt_two(keys, work[0], work[1], 1, ahead);
    give<inverse>(keys, work[0], way.at(out, 0));
    give<inverse>(keys, work[1], way.at(out + 16 * batch, batch));
}

template <bool inverse>
void many(const BulkKeys& keys, Bytes in, Out out, std::size_t blocks) {
    Wiped<Batch[2]> work;
    for (; blocks >= 2 * batch; blocks -= 2 * batch, in += 32 * batch, out += 32 * batch)
        two_batches<inverse>(keys, work.value, in, out, Plainly(),
                             Ahead::of(in, out, 2 * batch, blocks));
    while (blocks > 0) {
        const std::size_t now = std::min(blocks, batch);
        const Window window(in, out, now);
        one_batch<inverse>(keys, work.value[0], window.in(), window.out(), Plainly());
        blocks -= now, in += 16 * now, out += 16 * now;
    }
}

// Decryption of whole batches in a mode that adds the block before (`chains` blocks back) to what
// is decrypted (CBC), or encrypts it and adds it (CFB).
template <bool inverse>
void many_chained(const BulkKeys& keys, Out shift, std::size_t chains, Bytes in, Out out,
                  std::size_t blocks) {
    Wiped<Batch[2]> work;
    std::uint8_t before[32 * batch];
    while (blocks > 0) {
        const std::size_t now = std::min(blocks, 2 * batch);
        generic::earlier<wide::Blocks>(shift, chains, in, before, now);
        const Bytes from = inverse ? in : before;
        const Added added{inverse ? before : in};
        if (now == 2 * batch)
            two_batches<inverse>(keys, work.value, from, out, added,
                                 Ahead::of(in, out, 2 * batch, blocks));
        else
            one_batch<inverse>(keys, work.value[0], from, out, added);
        blocks -= now, in += 16 * now, out += 16 * now;
    }
}

}  // namespace
}  // namespace sliced

namespace wide {

void encrypt(const Schedule& schedule, Bytes in, Out out, std::size_t blocks) {
    const Keys& keys = keys_of(schedule);
    const std::size_t rest = sliced::few(blocks);
    if (blocks > rest) sliced::many<false>(keys.bulk, in, out, blocks - rest);
    in += 16 * (blocks - rest), out += 16 * (blocks - rest);
    if (rest > 0) encrypt_few(keys, in, out, rest);
}

void decrypt(const Schedule& schedule, Bytes in, Out out, std::size_t blocks) {
    const Keys& keys = keys_of(schedule);
    const std::size_t rest = sliced::few(blocks);
    if (blocks > rest) sliced::many<true>(keys.bulk, in, out, blocks - rest);
    in += 16 * (blocks - rest), out += 16 * (blocks - rest);
    if (rest > 0) decrypt_few(keys, in, out, rest);
}

void cbc_decrypt(const Schedule& schedule, Out shift, std::size_t chains, Bytes in, Out out,
                 std::size_t blocks) {
    const std::size_t rest = blocks % sliced::batch, most = blocks - rest;
    if (most > 0) sliced::many_chained<true>(keys_of(schedule).bulk, shift, chains, in, out, most);
    in += 16 * most, out += 16 * most;
    if (chains == 1 && rest <= sliced::most_few)
        cbc_decrypt_few(keys_of(schedule), shift, in, out, rest);
    else
        generic::cbc_decrypt<Blocks>(schedule, shift, chains, in, out, rest);
}

void cfb_decrypt(const Schedule& schedule, Out shift, std::size_t chains, Bytes in, Out out,
                 std::size_t blocks) {
    const std::size_t rest = blocks % sliced::batch, most = blocks - rest;
    if (most > 0) sliced::many_chained<false>(keys_of(schedule).bulk, shift, chains, in, out, most);
    in += 16 * most, out += 16 * most;
    if (chains == 1 && rest <= sliced::most_few)
        cfb_decrypt_few(keys_of(schedule), shift, in, out, rest);
    else
        generic::cfb_decrypt<Blocks>(schedule, shift, chains, in, out, rest);
}

}  // namespace wide
}  // namespace stend::gost::kuznyechik
STEND_FOR_ANY
#endif
