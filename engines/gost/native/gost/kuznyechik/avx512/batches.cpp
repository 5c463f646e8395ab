// The rounds of whole batches.
#if defined(__x86_64__)
#include "gost/x86/secret.h"
#include "isa/target.h"

// PREFETCHW is in every processor that has VBMI (Intel's since Broadwell, AMD's of 64 bits all),
// and no hypervisor can take it away, so that the variant's needs do not name it.
STEND_FOR("avx512f,avx512bw,avx512vbmi,gfni,prfchw")
#include "gost/kuznyechik/avx512/batches.h"

namespace stend::gost::kuznyechik::sliced {

void encrypt_one(const BulkKeys& keys, Batch& batch, unsigned first) {
    const Step step;
    const Substitute substitute(forward);
    for (unsigned r = first; r < 10; ++r) {
        substitute_all(substitute, batch);
        mix<false>(step, batch, keys.round[r]);
    }
}

void encrypt_two(const BulkKeys& keys, Batch& a, Batch& b, unsigned first, Ahead ahead) {
    const Step step;
    const Substitute substitute(forward);
    substitute_all(substitute, a);
    Batch *mixed = &a, *substituted = &b;
    for (unsigned half = 2 * first; half < 19; ++half) {
        mix_and_substitute<false>(step, substitute, *mixed, keys.round[half / 2], *substituted);
        std::swap(mixed, substituted);
        ahead.fetch_three();
    }
    mix<false>(step, b, keys.round[9]);
}

void decrypt_one(const BulkKeys& keys, Batch& batch) {
    const Step step;
    const Substitute substitute(backward);
    for (unsigned r = 9; r > 0; --r) {
        mix<true>(step, batch, keys.round[r]);
        substitute_all(substitute, batch);
    }
}

void decrypt_two(const BulkKeys& keys, Batch& a, Batch& b, Ahead ahead) {
    const Step step;
    const Substitute substitute(backward);
    mix<true>(step, a, keys.round[9]);
    Batch *mixed = &b, *substituted = &a;
    for (unsigned half = 18; half > 1; --half) {
        mix_and_substitute<true>(step, substitute, *mixed, keys.round[half / 2], *substituted);
        std::swap(mixed, substituted);
        ahead.fetch_three();
    }
    substitute_all(substitute, b);
}

}  // namespace stend::gost::kuznyechik::sliced
STEND_FOR_ANY
#endif
