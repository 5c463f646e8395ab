// Batches of successive counters after the first round of encryption. To be included inside
// STEND_FOR.
//
// Among 256 successive counters only one byte changes, bar the carry. So the first round is one
// substitution and sixteen multiplications by L's column of that byte, and to all of it is added
// what the other fifteen bytes make, which is computed once for 256 blocks. In a batch that the
// carry runs through, some blocks take what those fifteen bytes make after the carry.
#pragma once

#include "gost/kuznyechik/avx512/batches.h"
#include "gost/kuznyechik/avx512/parts.h"
#include "gost/wipe.h"

namespace stend::gost::kuznyechik::sliced {

// How a counter moves on by so many blocks.
using Advance = void(std::uint8_t* counter, std::uint64_t by);

// `place` is that of the byte that changes most. The counter is the caller's and is moved on.
template <unsigned place, Advance advance>
class Counters {
public:
    Counters(const wide::Keys& keys, Out counter) : keys_(keys), counter_(counter) { make_rest(); }
    Counters(const Counters&) = delete;
    Counters& operator=(const Counters&) = delete;
    ~Counters() { wipe(rest_); }

    // The batch is always whole; of it, `blocks` are used.
    STEND_INLINE void next(Batch& to, std::size_t blocks = batch) {
        const std::uint8_t least = counter_[place];
        const Vector counted = _mm512_add_epi8(_mm512_load_si512(places.block), all(least));
        const Substitute substitute(forward);
        const Vector changing = substitute(sum(counted, key_byte(keys_.bulk.round[0][15 - place])));
        sixteen([&](auto n) __attribute__((always_inline)) {
            const Vector product = affine<0>(changing, everywhere(changes.row[15 - n]));
            to.s[n] = sum(product, key_byte(rest_[n]));
        });
        if (least >= 256 - batch) carry(to, _mm512_cmplt_epu8_mask(counted, all(least)));
        advance(counter_, blocks);
    }

private:
    static constexpr Column changes = column(place);

    STEND_INLINE static Vector all(std::uint8_t byte) {
        return _mm512_set1_epi8(static_cast<char>(byte));
    }

    // What the other bytes make in the first round.
    void make_rest() { wide::rest_of_first_round(keys_, counter_, place, rest_); }

    // Moves the blocks that the carry has reached, if any, and the following batches to the next
    // 256.
    void carry(Batch& to, __mmask64 reached) {
        std::uint8_t now[16];
        std::uint32_t before[16];
        std::memcpy(now, counter_, sizeof now);
        std::memcpy(before, rest_, sizeof before);
        advance(counter_, batch);
        make_rest();
        std::memcpy(counter_, now, sizeof now);
        sixteen([&](auto n) __attribute__((always_inline)) {
            const Vector change = key_byte(before[n] ^ rest_[n]);
            to.s[n] = sum(to.s[n], _mm512_maskz_mov_epi8(reached, change));
        });
        wipe(before);
    }

    const wide::Keys& keys_;
    const Out counter_;
    std::uint32_t rest_[16];  // each byte in all bytes of a word, the last of a block first
};

// Writes one counter or more, as blocks, and moves the counter on.
template <Advance advance>
void write_counters(Out counter, Out to, std::size_t blocks) {
    std::size_t i = 0;
    do {
        std::memcpy(to + 16 * i, counter, 16);
        advance(counter, 1);
    } while (++i < blocks);
}

// out = in ^ gamma.
STEND_INLINE void cover(const Batch& gamma, Bytes in, Out out) {
    unslice(
        encrypted(gamma), [=](unsigned i, Vector x) __attribute__((always_inline)) {
            _mm512_storeu_si512(out + 64 * i, sum(x, _mm512_loadu_si512(in + 64 * i)));
        });
}

}  // namespace stend::gost::kuznyechik::sliced
