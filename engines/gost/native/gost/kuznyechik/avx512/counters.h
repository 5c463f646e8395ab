// Batches of successive counters after the first round of encryption. To be included inside
// STEND_FOR.
//
// Among 256 successive counters only one byte changes, bar one carry. So the first round is one
// substitution and sixteen multiplications by L's column of that byte, and to all of it is added
// what the other fifteen bytes make, which is computed once for 256 blocks: that of before the
// carry or, from some block on, that of after it. Which block that is decides no branch, for the
// counters of MGM are secrets.
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
    Counters(const wide::Keys& keys, Out counter) : keys_(keys), counter_(counter) {
        wide::rest_of_first_round(keys_, counter_, place, after_);
    }
    Counters(const Counters&) = delete;
    Counters& operator=(const Counters&) = delete;
    ~Counters() {
        wipe(before_);
        wipe(after_);
    }

    // The batch is always whole; of the last one, `blocks` are used.
    STEND_INLINE void next(Batch& to, std::size_t blocks = batch) {
        if (batches_++ % 4 == 0) begin_256();
        const Vector counted =
            _mm512_add_epi8(_mm512_load_si512(places.block), all(counter_[place]));
        const __mmask64 carried = _mm512_cmplt_epu8_mask(counted, all(least_));
        const Substitute substitute(forward);
        const Vector changing = substitute(sum(counted, key_byte(keys_.bulk.round[0][15 - place])));
        sixteen([&](auto n) __attribute__((always_inline)) {
            const Vector product = affine<0>(changing, everywhere(changes.row[15 - n]));
            const Vector rest =
                _mm512_mask_mov_epi8(key_byte(before_[n]), carried, key_byte(after_[n]));
            to.s[n] = sum(product, rest);
        });
        advance(counter_, blocks);
    }

private:
    static constexpr Column changes = column(place);

    STEND_INLINE static Vector all(std::uint8_t byte) {
        return _mm512_set1_epi8(static_cast<char>(byte));
    }

    void begin_256() {
        least_ = counter_[place];
        std::memcpy(before_, after_, sizeof before_);
        Wiped<std::uint8_t[16]> later;
        std::memcpy(later.value, counter_, sizeof later.value);
        advance(later.value, 256);
        wide::rest_of_first_round(keys_, later.value, place, after_);
    }

    const wide::Keys& keys_;
    const Out counter_;
    std::size_t batches_ = 0;
    std::uint8_t least_ = 0;  // what the byte was when these 256 began
    // What the other bytes make before the carry and after it, see rest_of_first_round.
    std::uint32_t before_[16], after_[16];
};

// out = in ^ gamma.
STEND_INLINE void cover(const Batch& gamma, Bytes in, Out out) {
    unslice(
        encrypted(gamma), [=](unsigned i, Vector x) __attribute__((always_inline)) {
            _mm512_storeu_si512(out + 64 * i, sum(x, _mm512_loadu_si512(in + 64 * i)));
        });
}

}  // namespace stend::gost::kuznyechik::sliced
