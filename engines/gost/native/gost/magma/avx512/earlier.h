// The register of CBC's and CFB's decryption, in two vector registers: for eight blocks of the
// message the eight before them in their chains, so that these need no memory of their own and the
// message may be decrypted in place.
#pragma once
#if defined(__x86_64__)
#include <algorithm>

#include "gost/magma/avx512/words.h"

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni,pclmul,vpclmulqdq")
namespace stend::gost::magma::avx512 {

class Earlier {
public:
    static constexpr std::size_t most_chains = 16;

    [[gnu::always_inline]] Earlier(Bytes shift, std::size_t chains) : chains_(chains) {
        alignas(64) std::uint8_t last[128] = {};
        std::memcpy(last + 128 - 8 * chains, shift, 8 * chains);
        older_ = _mm512_load_si512(last);
        newer_ = _mm512_load_si512(last + 64);
        const auto first = static_cast<long long>((chains > 8 ? 16 : 8) - chains);
        places_ =
            _mm512_add_epi64(_mm512_set1_epi64(first), _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7));
    }

    // x: the next eight blocks of the message.
    [[gnu::always_inline]] __m512i before(__m512i x) {
        const __m512i result =
            chains_ > 8 ? moved(older_, places_, newer_) : moved(newer_, places_, x);
        older_ = newer_;
        newer_ = x;
        return result;
    }

    // The register when `blocks` of the message are done.
    static void after(Bytes shift, std::size_t chains, Bytes in, std::size_t blocks, Out next) {
        const std::size_t held = std::min(chains, blocks), kept = chains - held;
        std::memcpy(next, shift + 8 * held, 8 * kept);
        std::memcpy(next + 8 * kept, in + 8 * (blocks - held), 8 * held);
    }

private:
    std::size_t chains_;
    __m512i older_, newer_;  // the message's last 16 blocks
    __m512i places_;         // of the blocks sought among two registers
};

}  // namespace stend::gost::magma::avx512
STEND_FOR_ANY
#endif
