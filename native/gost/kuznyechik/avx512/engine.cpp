// Kuznyechik with AVX-512: 64 blocks byte-sliced where there are so many, else a few blocks to a
// register.
#if defined(__x86_64__)
#include "gost/kuznyechik/avx512/parts.h"
#include "gost/kuznyechik/variants.h"

namespace stend::gost::kuznyechik {
constexpr Engine avx512 = {
    .name = "avx512",
    .needs = {isa::avx512, isa::avx512vbmi, isa::gfni, isa::vpclmulqdq},
    .constant_time = true,
    .schedule = wide::schedule,
    .encrypt = wide::encrypt,
    .decrypt = wide::decrypt,
    .count = wide::count,
    .chain = wide::chain,
    .cbc_decrypt = wide::cbc_decrypt,
    .cfb_decrypt = wide::cfb_decrypt,
    .absorb = wide::absorb,
    .seal = wide::seal,
    .open = wide::open,
    .stack = 8 * 1024,
    .stack_of_few = 768,
    .wipe_stack = wipe_stack_by_64,
    .schedule_and_zeros = wide::schedule_and_zeros,
};

}  // namespace stend::gost::kuznyechik
#endif
