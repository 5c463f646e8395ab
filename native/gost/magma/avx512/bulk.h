// Any number of blocks: whole batches bitsliced, what is left by words or in lanes.
#pragma once
#if defined(__x86_64__)
#include "gost/magma/avx512/chains.h"
#include "gost/magma/avx512/plane_counters.h"
#include "gost/magma/avx512/product.h"
#include "gost/magma/avx512/transposition.h"

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni,pclmul,vpclmulqdq")
namespace stend::gost::magma::avx512 {

template <Order order, Way way>
void by_words(const Keys& keys, Bytes in, Out out, std::size_t blocks) {
    in_words(blocks, [&]<int n>(std::size_t at, std::size_t now) {
        words<order, way, n>(keys, in + at, out + at, now);
    });
}

template <Order order, Way way>
void by_planes(const Keys& keys, Bytes in, Out out, std::size_t blocks) {
    Wiped<Planes> planes;
    for (; blocks >= batch; blocks -= batch, in += 8 * batch, out += 8 * batch) {
        to_planes<order>(in, planes.value);
        plane_rounds<way>(keys, planes.value, Ahead(in, out, blocks));
        from_planes<order>(planes.value,
                           [&](unsigned i, __m512i x) { _mm512_storeu_si512(out + 64 * i, x); });
    }
}

// Every set of substitutions, or tc26-Z alone, for which there are circuits.
template <Order order, Way way, bool any_boxes>
void transformed(const Schedule& schedule, Bytes in, Out out, std::size_t blocks) {
    const Keys& keys = keys_of(schedule);
    if constexpr (!any_boxes) {
        const std::size_t whole = blocks / batch * batch;
        if (whole > 0) by_planes<order, way>(keys, in, out, whole);
        in += 8 * whole, out += 8 * whole, blocks -= whole;
    }
    if (blocks > 0) by_words<order, way>(keys, in, out, blocks);
}

// out = in ^ the encryptions of numbers of blocks.
template <Counts what>
void counted(const Keys& keys, Counter<what>& counter, Bytes in, Out out, std::size_t blocks) {
    constexpr Order order = Order::big;
    if (blocks >= batch) {
        Wiped<Planes> planes;
        for (; blocks >= batch; blocks -= batch, in += 8 * batch, out += 8 * batch) {
            count_planes(counter, planes.value);
            counter.advance(batch);
            plane_rounds<Way::encrypt>(keys, planes.value, Ahead(in, out, blocks));
            from_planes<order>(planes.value, [&](unsigned i, __m512i x) {
                _mm512_storeu_si512(out + 64 * i,
                                    _mm512_xor_si512(x, _mm512_loadu_si512(in + 64 * i)));
            });
        }
    }
    in_words(blocks, [&]<int n>(std::size_t at, std::size_t now) {
        words_counted<order, n>(keys, counter, in + at, out + at, now);
        counter.advance(now);
    });
}

// sum += the encryptions of Z's numbers times the blocks of `in`.
inline void absorbed(const Keys& keys, Counter<Counts::left>& z, Product& sum, Bytes in,
                     std::size_t blocks) {
    alignas(64) static constexpr std::uint8_t zeros[8 * batch] = {};
    alignas(64) std::uint8_t h[8 * batch];
    const __m512i turn = _mm512_set4_epi32(0x08090A0B, 0x0C0D0E0F, 0x00010203, 0x04050607);
    while (blocks > 0) {
        const std::size_t now = std::min(blocks, batch);
        counted(keys, z, zeros, h, now);
        for (std::size_t i = 0; i < now; i += 8) {
            const __mmask8 there = first_of_eight(now - i);
            sum.add(_mm512_shuffle_epi8(_mm512_maskz_loadu_epi64(there, h + 8 * i), turn),
                    _mm512_maskz_loadu_epi64(there, in + 8 * i));
        }
        blocks -= now, in += 8 * now;
    }
    wipe(h);
}

}  // namespace stend::gost::magma::avx512
STEND_FOR_ANY
#endif
