// Encryption of successive counters: CTR.
#if defined(__x86_64__)
#include <algorithm>

#include "gost/block.h"
#include "gost/kuznyechik/avx512/parts.h"
#include "gost/wipe.h"
#include "gost/x86/secret.h"
#include "isa/target.h"

STEND_FOR("avx512f,avx512bw,avx512vbmi,gfni")
#include "gost/kuznyechik/avx512/counters.h"

namespace stend::gost::kuznyechik {
namespace sliced {
namespace {

using Counting = Counters<15, advance<16>>;

void count_many(const wide::Keys& keys, Out counter, Bytes in, Out out, std::size_t blocks) {
    Wiped<Batch[2]> work;
    auto& [a, b] = work.value;
    Counting counters(keys, counter);
    for (; blocks >= 2 * batch; blocks -= 2 * batch, in += 32 * batch, out += 32 * batch) {
        counters.next(a);
        counters.next(b);
        encrypt_two(keys.bulk, a, b, 2, Ahead::of(in, out, 2 * batch, blocks));
        cover(a, in, out);
        cover(b, in + 16 * batch, out + 16 * batch);
    }
    while (blocks > 0) {
        const std::size_t now = std::min(blocks, batch);
        const Window window(in, out, now);
        counters.next(a, now);
        encrypt_one(keys.bulk, a, 2);
        cover(a, window.in(), window.out());
        blocks -= now, in += 16 * now, out += 16 * now;
    }
}

}  // namespace
}  // namespace sliced

namespace wide {

void count(const Schedule& schedule, Out counter, Bytes in, Out out, std::size_t blocks) {
    const Keys& keys = keys_of(schedule);
    const std::size_t rest = sliced::few(blocks), most = blocks - rest;
    if (most > 0) sliced::count_many(keys, counter, in, out, most);
    if (rest > 0) count_few(keys, counter, in + 16 * most, out + 16 * most, rest);
}

}  // namespace wide
}  // namespace stend::gost::kuznyechik
STEND_FOR_ANY
#endif
