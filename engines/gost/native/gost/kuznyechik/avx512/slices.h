// Rounds of Kuznyechik on batches of 64 blocks that lie byte-sliced: register i holds one byte of
// each of them. To be included inside STEND_FOR, after x86/secret.h.
//
// The linear layer is sixteen steps of a recurrence over s[0] … s[15], which are the bytes of a
// block from the last to the first; its inverse is the same recurrence from the first to the last.
// A Batch is in this order, so that both directions run one code.
#pragma once

#include <cstddef>
#include <utility>

#include "gost/kuznyechik/avx512/bulk_keys.h"
#include "gost/kuznyechik/avx512/bulk_tables.h"
#include "gost/x86/intrinsics.h"
#include "gost/x86/secret.h"

namespace stend::gost::kuznyechik::sliced {

using Vector = __m512i;
using wide::BulkKeys;

struct Batch {
    Vector s[16];
};

STEND_INLINE Vector sum(Vector a, Vector b) {
    return _mm512_xor_si512(a, b);
}
STEND_INLINE Vector sum(Vector a, Vector b, Vector c) {
    return ternary<0x96>(a, b, c);
}
STEND_INLINE Vector everywhere(std::uint64_t matrix) {
    return _mm512_set1_epi64(static_cast<long long>(matrix));
}
STEND_INLINE Vector key_byte(std::uint32_t key) {
    return _mm512_set1_epi32(static_cast<int>(key));
}

// The blocks of a register as numbers: their last byte lowest.
STEND_INLINE Vector turned_round(Vector blocks) {
    const __m128i order = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return _mm512_shuffle_epi8(blocks, _mm512_maskz_broadcast_i32x4(0xFFFF, order));
}

// Calls work(constant 0), …, work(constant 15).
template <typename Work>
STEND_INLINE void sixteen(Work work) {
    [&]<unsigned... n>(std::integer_sequence<unsigned, n...>) __attribute__((always_inline)) {
        (work(std::integral_constant<unsigned, n>{}), ...);
    }
    (std::make_integer_sequence<unsigned, 16>{});
}

class Substitute {
public:
    STEND_INLINE explicit Substitute(const Substitution& table)
        : q0(_mm512_load_si512(table.quarter[0])),
          q1(_mm512_load_si512(table.quarter[1])),
          q2(_mm512_load_si512(table.quarter[2])),
          q3(_mm512_load_si512(table.quarter[3])) {}

    STEND_INLINE Vector operator()(Vector x) const {
        const __mmask64 seven = _mm512_movepi8_mask(x);
        const __mmask64 six = _mm512_test_epi8_mask(x, _mm512_set1_epi8(0x40));
        // Masked by everything: g++ 12 warns of the plain intrinsic's unused operand.
        Vector low = _mm512_maskz_permutexvar_epi8(~__mmask64{0}, x, q0);
        Vector high = _mm512_maskz_permutexvar_epi8(~__mmask64{0}, x, q2);
        low = _mm512_mask_permutexvar_epi8(low, six, x, q1);
        high = _mm512_mask_permutexvar_epi8(high, six, x, q3);
        return _mm512_mask_mov_epi8(low, seven, high);
    }

private:
    Vector q0, q1, q2, q3;
};

// One step, 15 instructions: c is a palindrome, so s[i] and s[16 - i] are summed first; the
// products are nested, which lets every sum be one of three terms; and c(3) = c(1) + c(4) + 1, so
// that what is multiplied by c(3) goes in with those. The newest byte, s[15], has the shortest way.
class Step {
public:
    STEND_INLINE Step()
        : eight(everywhere(factors.eight)),
          six(everywhere(factors.six)),
          five(everywhere(factors.five)),
          two(everywhere(factors.two)),
          one(everywhere(factors.one)),
          four(everywhere(factors.four)) {}

    template <unsigned n>
    STEND_INLINE void take(Vector* s, std::uint32_t key) const {
        const auto at = [s](unsigned i) __attribute__((always_inline))->Vector& {
            return s[(n + i) & 15];
        };
        // A sum overwrites its first term, so that one is a term nobody needs any more.
        Vector inner = affine<0>(at(8), eight);
        inner = affine<0>(sum(inner, at(6), at(10)), six);
        inner = affine<0>(sum(inner, at(5), at(11)), five);
        inner = affine<0>(sum(inner, at(2), at(14)), two);
        const Vector three = sum(inner, at(3), at(13));
        const Vector by_four = affine<0>(sum(three, at(4), at(12)), four);
        const Vector by_one = affine<0>(sum(three, at(1), at(15)), one);
        const Vector rest = sum(key_byte(key), at(7), at(9));
        at(0) = sum(sum(rest, at(0), three), by_four, by_one);
    }

private:
    Vector eight, six, five, two, one, four;
};

// The sixteen steps of one batch, and between them the substitution of another: the steps wait for
// each other and load port 0, the look-ups are independent and load port 5.
template <bool inverse>
STEND_INLINE void mix_and_substitute(const Step& step, const Substitute& substitute, Batch& mixed,
                                     const std::uint32_t* key, Batch& substituted) {
    // In a loop over rounds, g++ would keep both batches on the stack as well.
    asm volatile("" : : : "memory");
    Vector v[16];
    sixteen([&](auto n) __attribute__((always_inline)) { v[n] = mixed.s[n]; });
    sixteen([&](auto n) __attribute__((always_inline)) {
        substituted.s[n] = substitute(substituted.s[n]);
        step.take<n>(v, key[inverse ? 15 - n : n]);
        mixed.s[n] = v[n];
    });
}

template <bool inverse>
STEND_INLINE void mix(const Step& step, Batch& batch, const std::uint32_t* key) {
    Vector v[16];
    sixteen([&](auto n) __attribute__((always_inline)) { v[n] = batch.s[n]; });
    sixteen([&](auto n) __attribute__((always_inline)) {
        step.take<n>(v, key[inverse ? 15 - n : n]);
        batch.s[n] = v[n];
    });
}

STEND_INLINE void substitute_all(const Substitute& substitute, Batch& batch) {
    sixteen([&](auto n) __attribute__((always_inline)) { batch.s[n] = substitute(batch.s[n]); });
}

// What lies in registers as four blocks each becomes byte-sliced, and the other way round: block
// places.block[p] is at place p.
STEND_INLINE void transpose(Vector* v) {
    for (unsigned stage = 0; stage < 4; ++stage) {
        Vector o[16];
        sixteen([&](auto n) __attribute__((always_inline)) {
            constexpr unsigned i = n / 2;
            o[n] =
                n % 2 ? _mm512_unpackhi_epi8(v[i], v[i + 8]) : _mm512_unpacklo_epi8(v[i], v[i + 8]);
        });
        sixteen([&](auto n) __attribute__((always_inline)) { v[n] = o[n]; });
    }
}

// Blocks 4i to 4i + 3 are what source(i) gives. Encryption starts with the first key, decryption
// ends with it.
template <bool inverse, typename Source>
STEND_INLINE void slice(const BulkKeys& keys, Batch& batch, Source source) {
    Vector v[16];
    sixteen([&](auto i) __attribute__((always_inline)) { v[i] = source(i); });
    transpose(v);
    sixteen([&](auto n) __attribute__((always_inline)) {
        batch.s[n] = inverse ? v[n] : sum(v[15 - n], key_byte(keys.round[0][n]));
    });
}

// row(i) is byte i of all blocks; sink(i, x) gets blocks 4i to 4i + 3.
template <typename Rows, typename Sink>
STEND_INLINE void unslice(Rows row, Sink sink) {
    Vector v[16];
    sixteen([&](auto i) __attribute__((always_inline)) { v[i] = row(i); });
    transpose(v);
    sixteen([&](auto i) __attribute__((always_inline)) { sink(i, v[i]); });
}

STEND_INLINE auto encrypted(const Batch& batch) {
    return [&](unsigned i) __attribute__((always_inline)) {
        return batch.s[15 - i];
    };
}
STEND_INLINE auto decrypted(const BulkKeys& keys, const Batch& batch) {
    return [&](unsigned i) __attribute__((always_inline)) {
        return sum(batch.s[i], key_byte(keys.round[0][15 - i]));
    };
}

// The blocks of a batch in memory.
STEND_INLINE auto blocks_at(const std::uint8_t* in) {
    return [=](unsigned i) __attribute__((always_inline)) {
        return _mm512_loadu_si512(in + 64 * i);
    };
}
STEND_INLINE auto blocks_to(std::uint8_t* out) {
    return [=](unsigned i, Vector x) __attribute__((always_inline)) {
        _mm512_storeu_si512(out + 64 * i, x);
    };
}

}  // namespace stend::gost::kuznyechik::sliced
