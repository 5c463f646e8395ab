// Kuznyechik with AVX-512: 64 blocks byte-sliced where there are so many, else a few blocks to a
// register.
#if defined(__x86_64__)
#include "gost/kuznyechik/avx512/parts.h"
#include "gost/kuznyechik/variants.h"

namespace stend::gost::kuznyechik {
namespace {

// As far as each was seen to reach (tests/native/gost_residue.cpp).
#if defined(__clang__)
constexpr std::size_t reach = 16 * 1024, reach_of_few = 9 * 1024;
#else
constexpr std::size_t reach = 8 * 1024, reach_of_few = 768;
#endif

}  // namespace

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
    .stack = reach,
    .stack_of_few = reach_of_few,
    .wipe_stack = wipe_stack_by_64,
    .schedule_and_zeros = wide::schedule_and_zeros,
};

}  // namespace stend::gost::kuznyechik
#endif
