// The part of a counter's first round that 256 counters have in common.
#if defined(__x86_64__)
#include "gost/kuznyechik/avx512/parts.h"
#include "gost/wipe.h"
#include "gost/x86/secret.h"
#include "isa/target.h"

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni")
#include "gost/kuznyechik/avx512/rounds.h"

namespace stend::gost::kuznyechik::wide {

void rest_of_first_round(const Keys& keys, Bytes counter, unsigned place,
                         std::uint32_t (&rest)[16]) {
    const Copies<forward> form;
    const Vector x = sum(Copied::taken(counter), Copied::key(keys.few.encrypt[0]));
    // Copy q is turned by q bytes.
    std::uint64_t others = ~std::uint64_t{0};
    for (unsigned q = 0; q < 4; ++q) others ^= std::uint64_t{1} << (16 * q + ((place - q) & 15));
    const Vector s = _mm512_maskz_mov_epi8(others, form.substituted(x));
    Wiped<std::uint8_t[16]> mixed;
    Copied::give(form.mixed(s, Copied::key(keys.few.encrypt[1])), mixed.value);
    for (unsigned n = 0; n < 16; ++n) rest[n] = four_times(mixed.value[15 - n]);
}

}  // namespace stend::gost::kuznyechik::wide
STEND_FOR_ANY
#endif
