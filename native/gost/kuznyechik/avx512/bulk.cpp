// Encryption and decryption of many independent blocks.
#if defined(__x86_64__)
#include <algorithm>

#include "gost/kuznyechik/avx512/parts.h"
#include "gost/wipe.h"
#include "gost/x86/secret.h"
#include "isa/target.h"

STEND_FOR("avx512f,avx512bw,avx512vbmi,gfni")
#include "gost/kuznyechik/avx512/batches.h"

namespace stend::gost::kuznyechik {
namespace sliced {
namespace {

STEND_INLINE void give(const BulkKeys& keys, const Batch& work, Out out, bool inverse) {
    inverse ? unslice(decrypted(keys, work), blocks_to(out))
            : unslice(encrypted(work), blocks_to(out));
}

template <bool inverse>
void one_batch(const BulkKeys& keys, Batch& work, Bytes in, Out out) {
    slice<inverse>(keys, work, blocks_at(in));
    inverse ? decrypt_one(keys, work) : encrypt_one(keys, work, 1);
    give(keys, work, out, inverse);
}

template <bool inverse>
void two_batches(const BulkKeys& keys, Batch (&work)[2], Bytes in, Out out) {
    slice<inverse>(keys, work[0], blocks_at(in));
    slice<inverse>(keys, work[1], blocks_at(in + 16 * batch));
    inverse ? decrypt_two(keys, work[0], work[1]) : encrypt_two(keys, work[0], work[1], 1);
    give(keys, work[0], out, inverse);
    give(keys, work[1], out + 16 * batch, inverse);
}

template <bool inverse>
void many(const BulkKeys& keys, Bytes in, Out out, std::size_t blocks) {
    Wiped<Batch[2]> work;
    for (; blocks >= 2 * batch; blocks -= 2 * batch, in += 32 * batch, out += 32 * batch)
        two_batches<inverse>(keys, work.value, in, out);
    while (blocks > 0) {
        const std::size_t now = std::min(blocks, batch);
        const Window window(in, out, now);
        one_batch<inverse>(keys, work.value[0], window.in(), window.out());
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

}  // namespace wide
}  // namespace stend::gost::kuznyechik
STEND_FOR_ANY
#endif
