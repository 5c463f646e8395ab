// Short messages: 1 to 63 blocks, in as few and as full registers as they take. Counters, and what
// is added to the outcome, never pass through memory.
#if defined(__x86_64__)
#include <algorithm>

#include "gost/block.h"
#include "gost/kuznyechik/avx512/parts.h"
#include "gost/x86/secret.h"
#include "isa/target.h"

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni")
#include "gost/kuznyechik/avx512/rounds.h"

namespace stend::gost::kuznyechik::wide {
namespace {

using Rows = const std::uint8_t (&)[10][64];

// The blocks of a register as numbers, and back.
STEND_INLINE Vector turned_round(Vector blocks) {
    const __m128i order = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return _mm512_shuffle_epi8(blocks, _mm512_maskz_broadcast_i32x4(all_words, order));
}

// What every register adds: there is one key.
STEND_INLINE auto same(Vector key) {
    return [key](auto) __attribute__((always_inline)) {
        return key;
    };
}

template <unsigned n, typename Shape>
STEND_INLINE void encrypted(const Shape& shape, Rows keys, Vector (&x)[n]) {
    const Vector first = Shape::key(keys[0]);
    each<n>([&](auto j) __attribute__((always_inline)) { x[j] = sum(x[j], first); });
    for (unsigned i = 1; i < 10; ++i) round(shape, x, same(Shape::key(keys[i])));
}

// L is linear, so its inverse is exchanged with the addition of the key before it: the order of the
// layers is that of encryption, with a lone one before them.
template <unsigned n, typename Shape>
STEND_INLINE void decrypted(const Shape& shape, Rows keys, Vector (&x)[n]) {
    const Vector first = Shape::key(keys[9]), last = Shape::key(keys[0]);
    each<n>([&](auto j) __attribute__((always_inline)) { x[j] = shape.mixed(x[j], first); });
    for (unsigned i = 8; i > 0; --i) round(shape, x, same(Shape::key(keys[i])));
    each<n>([&](auto j)
                __attribute__((always_inline)) { x[j] = sum(shape.substituted(x[j]), last); });
}

// What is done with blocks, four or fewer at a time, the first of them being block `at`: taken() is
// what enters the cipher and given() what is added to what comes out of it.
struct Plain {
    Bytes in;

    STEND_INLINE Vector taken(std::size_t at, std::size_t count) const {
        return load_blocks(in + 16 * at, count);
    }
    STEND_INLINE Vector given(std::size_t, std::size_t) const { return _mm512_setzero_si512(); }
};

class Counted {
public:
    STEND_INLINE Counted(Bytes counter, Bytes in)
        : in_(in),
          counter_(_mm512_maskz_broadcast_i32x4(all_words, load_block(counter))),
          number_(turned_round(counter_)) {}

    // A lone block's counter is there already.
    STEND_INLINE Vector taken(std::size_t at, std::size_t count) const {
        if (at == 0 && count == 1) return counter_;
        const Vector lanes = _mm512_set_epi64(0, 3, 0, 2, 0, 1, 0, 0);
        const Vector first = _mm512_maskz_set1_epi64(0x55, static_cast<long long>(at));
        Vector x = _mm512_add_epi64(number_, _mm512_add_epi64(lanes, first));
        const auto carry = static_cast<__mmask8>(_mm512_cmplt_epu64_mask(x, number_) << 1);
        x = _mm512_mask_sub_epi64(x, carry, x, _mm512_set1_epi64(-1));
        return turned_round(x);
    }
    STEND_INLINE Vector given(std::size_t at, std::size_t count) const {
        return load_blocks(in_ + 16 * at, count);
    }

private:
    Bytes in_;
    Vector counter_, number_;  // the same as blocks and as numbers
};

// The blocks before those of the message: the register's, then its own.
STEND_INLINE Vector earlier(Bytes shift, Bytes in, std::size_t at, std::size_t count) {
    if (at > 0) return load_blocks(in + 16 * at - 16, count);
    const auto own = static_cast<__mmask8>(words(count) & ~3);
    const Vector x = _mm512_maskz_loadu_epi64(own, in - 16);
    return _mm512_mask_broadcast_i32x4(x, 0xF, load_block(shift));
}

struct Cbc {
    Bytes shift, in;

    STEND_INLINE Vector taken(std::size_t at, std::size_t count) const {
        return load_blocks(in + 16 * at, count);
    }
    STEND_INLINE Vector given(std::size_t at, std::size_t count) const {
        return earlier(shift, in, at, count);
    }
};

struct Cfb {
    Bytes shift, in;

    STEND_INLINE Vector taken(std::size_t at, std::size_t count) const {
        return earlier(shift, in, at, count);
    }
    STEND_INLINE Vector given(std::size_t at, std::size_t count) const {
        return load_blocks(in + 16 * at, count);
    }
};

// n registers, the last of which may be partly filled. All is read before anything is written.
template <unsigned n, typename Shape, bool decrypts, typename Work>
[[gnu::noinline]] void pass(Rows keys, const Work& work, Out out, std::size_t at,
                            std::size_t blocks) {
    const auto held = [=](unsigned j) __attribute__((always_inline)) {
        return j + 1 < n ? Shape::blocks : Shape::blocks == 4 ? blocks - 4 * j : Shape::blocks;
    };
    Vector x[n], added[n];
    each<n>([&](auto j) __attribute__((always_inline)) {
        x[j] = Shape::from(work.taken(at + j * Shape::blocks, held(j)));
    });
    if constexpr (decrypts)
        decrypted(Shape(), keys, x);
    else
        encrypted(Shape(), keys, x);
    each<n>([&](auto j) __attribute__((always_inline)) {
        added[j] = work.given(at + j * Shape::blocks, held(j));
    });
    each<n>([&](auto j) __attribute__((always_inline)) {
        store_blocks(out + 16 * (at + j * Shape::blocks), sum(Shape::to(x[j]), added[j]), held(j));
    });
}

// Up to 16 blocks from block `at` on.
template <const Tables& t, bool decrypts, typename Work>
STEND_INLINE void some(Rows keys, const Work& work, Out out, std::size_t at, std::size_t blocks) {
    if (blocks > 12)
        pass<4, Quads<t, 4>, decrypts>(keys, work, out, at, blocks);
    else if (blocks > 8)
        pass<3, Quads<t, 3>, decrypts>(keys, work, out, at, blocks);
    else if (blocks > 4)
        pass<2, Quads<t, 2>, decrypts>(keys, work, out, at, blocks);
    else if (blocks > 2)
        pass<1, Quads<t, 1>, decrypts>(keys, work, out, at, blocks);
    else if (blocks == 2)
        pass<1, Pairs<t>, decrypts>(keys, work, out, at, blocks);
    else if (blocks == 1)
        pass<1, Copies<t>, decrypts>(keys, work, out, at, blocks);
}

template <const Tables& t, bool decrypts, typename Work>
STEND_INLINE void all(Rows keys, const Work& work, Out out, std::size_t blocks) {
    std::size_t at = 0;
    for (; blocks - at > 16; at += 16) some<t, decrypts>(keys, work, out, at, 16);
    some<t, decrypts>(keys, work, out, at, blocks - at);
}

// Sixteen blocks at a time, for in place the register of the next ones is overwritten.
template <typename Work, const Tables& t, bool decrypts>
STEND_INLINE void chained(Rows keys, Out shift, Bytes in, Out out, std::size_t blocks) {
    for (std::size_t now; blocks > 0; blocks -= now, in += 16 * now, out += 16 * now) {
        now = std::min<std::size_t>(blocks, 16);
        const __m128i last = load_block(in + 16 * now - 16);
        some<t, decrypts>(keys, Work{shift, in}, out, 0, now);
        store_block(shift, last);
    }
}

}  // namespace

void encrypt_few(const Keys& keys, Bytes in, Out out, std::size_t blocks) {
    all<forward, false>(keys.few.encrypt, Plain{in}, out, blocks);
}

void decrypt_few(const Keys& keys, Bytes in, Out out, std::size_t blocks) {
    all<backward, true>(keys.few.decrypt, Plain{in}, out, blocks);
}

void count_few(const Keys& keys, Out counter, Bytes in, Out out, std::size_t blocks) {
    all<forward, false>(keys.few.encrypt, Counted(counter, in), out, blocks);
    advance<16>(counter, blocks);
}

void cbc_decrypt_few(const Keys& keys, Out shift, Bytes in, Out out, std::size_t blocks) {
    chained<Cbc, backward, true>(keys.few.decrypt, shift, in, out, blocks);
}

void cfb_decrypt_few(const Keys& keys, Out shift, Bytes in, Out out, std::size_t blocks) {
    chained<Cfb, forward, false>(keys.few.encrypt, shift, in, out, blocks);
}

}  // namespace stend::gost::kuznyechik::wide
STEND_FOR_ANY
#endif
