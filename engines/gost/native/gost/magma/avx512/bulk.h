// Any number of blocks: whole batches bitsliced, what is left by words or in lanes.
#pragma once
#if defined(__x86_64__)
#include "gost/generic.h"
#include "gost/magma/avx512/chains.h"
#include "gost/magma/avx512/earlier.h"
#include "gost/magma/avx512/plane_counters.h"
#include "gost/magma/avx512/product.h"
#include "gost/magma/avx512/transposition.h"

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni,pclmul,vpclmulqdq")
namespace stend::gost::magma::avx512 {

template <Order order, Way way>
void by_words(const Keys& keys, Bytes in, Out out, std::size_t blocks) {
    in_words<8>(blocks, [&]<int n>(std::size_t at, std::size_t now) {
        words<order, way, n>(keys, in + at, out + at, now);
    });
}

// One batch; load(i) gives blocks 8 * i to 8 * i + 7, and write(i, x) takes them.
template <Order order, Way way, typename Load, typename Write>
[[gnu::always_inline]] inline void by_planes(const Keys& keys, Planes& planes, Ahead ahead,
                                             const Load& load, const Write& write) {
    to_planes<order>(planes, load);
    plane_rounds<way>(keys, planes, ahead);
    from_planes<order>(planes, write);
}

// The whole batches of a message, in a function of its own: shorter ones don't need its stack.
template <Order order, Way way>
[[gnu::noinline]] void batches(const Keys& keys, Bytes in, Out out, std::size_t blocks) {
    Planes planes;
    for (; blocks >= batch; blocks -= batch, in += 8 * batch, out += 8 * batch)
        by_planes<order, way>(
            keys, planes, Ahead(in, out, blocks),
            [in](unsigned i) { return _mm512_loadu_si512(in + 64 * i); },
            [out](unsigned i, __m512i x) { _mm512_storeu_si512(out + 64 * i, x); });
}

template <Order order, Way way>
void transformed(const Schedule& schedule, Bytes in, Out out, std::size_t blocks) {
    const Keys& keys = keys_of(schedule);
    std::size_t at = 0;
    if (blocks >= batch && keys.by_planes) {
        batches<order, way>(keys, in, out, blocks);
        at = blocks / batch * batch;
    }
    by_words<order, way>(keys, in + 8 * at, out + 8 * at, blocks - at);
}

// Decryption of whole batches of CBC, if `cbc`, or CFB.
template <Order order, bool cbc>
[[gnu::noinline]] void unchained_batches(const Keys& keys, Earlier& register_, Bytes in, Out out,
                                         std::size_t blocks) {
    Planes planes;
    Earlier earlier = register_;
    for (; blocks >= batch; blocks -= batch, in += 8 * batch, out += 8 * batch) {
        const auto message = [in](unsigned i) { return _mm512_loadu_si512(in + 64 * i); };
        by_planes<order, cbc ? Way::decrypt : Way::encrypt>(
            keys, planes, Ahead(in, out, blocks),
            [&](unsigned i) { return cbc ? message(i) : earlier.before(message(i)); },
            [&](unsigned i, __m512i x) {
                const __m512i added = cbc ? earlier.before(message(i)) : message(i);
                _mm512_storeu_si512(out + 64 * i, _mm512_xor_si512(x, added));
            });
    }
    register_ = earlier;
}

// Of fewer blocks than a batch.
template <Order order, bool cbc>
void unchained_by_words(const Keys& keys, Earlier& earlier, Bytes in, Out out, std::size_t blocks) {
    in_words<8>(blocks, [&]<int n>(std::size_t at, std::size_t now) {
        const Memory<n> memory(now);
        const auto message = [&](int i) { return memory.load(in + at, i); };
        words_between<order, cbc ? Way::decrypt : Way::encrypt, n>(
            keys, [&](int i) { return cbc ? message(i) : earlier.before(message(i)); },
            [&](int i, __m512i x) {
                const __m512i added = cbc ? earlier.before(message(i)) : message(i);
                memory.store(out + at, i, _mm512_xor_si512(x, added));
            });
    });
}

// Registers of more chains than the modes have are worked on in pieces, with more of the stack than
// the engine says.
template <typename V, Order order, bool cbc>
void unchained(const Schedule& schedule, Out shift, std::size_t chains, Bytes in, Out out,
               std::size_t blocks) {
    if (chains > Earlier::most_chains) {
        constexpr auto pieces = cbc ? generic::cbc_decrypt<V> : generic::cfb_decrypt<V>;
        return pieces(schedule, shift, chains, in, out, blocks);
    }
    const Keys& keys = keys_of(schedule);
    std::uint8_t next[8 * Earlier::most_chains];
    Earlier::after(shift, chains, in, blocks, next);
    Earlier earlier(shift, chains);
    std::size_t at = 0;
    if (blocks >= batch && keys.by_planes) {
        unchained_batches<order, cbc>(keys, earlier, in, out, blocks);
        at = blocks / batch * batch;
    }
    unchained_by_words<order, cbc>(keys, earlier, in + 8 * at, out + 8 * at, blocks - at);
    std::memcpy(shift, next, 8 * chains);
}

// The encryptions of numbers of blocks, register by register, to write(byte within the message,
// blocks, which of them are there); first those of whole batches.
template <Order order, Counts what, typename Write>
[[gnu::noinline]] void counted_batches(const Keys& keys, Counter<what>& counter, std::size_t blocks,
                                       const Write& write) {
    Planes planes;
    for (std::size_t at = 0; blocks >= batch; blocks -= batch, at += 8 * batch) {
        count_planes(counter, planes);
        counter.advance(batch);
        plane_rounds<Way::encrypt>(keys, planes, write.ahead(at, blocks));
        from_planes<order>(planes, [&](unsigned i, __m512i x) { write(at + 64 * i, x, 0xFF); });
    }
}

template <Order order, Counts what, typename Write>
void counted(const Keys& keys, Counter<what>& counter, std::size_t blocks, const Write& write) {
    const std::size_t whole = keys.by_planes ? blocks / batch * batch : 0;
    if (whole > 0) counted_batches<order>(keys, counter, whole, write);
    in_words<8>(blocks - whole, [&]<int n>(std::size_t at, std::size_t now) {
        words_counted<order, n>(keys, counter, 8 * whole + at, now, write);
        counter.advance(now);
    });
}

// out = in ^ what is written; `left` blocks from `in` on belong to the message.
struct Addition {
    Bytes in;
    Out out;
    std::size_t left;

    [[gnu::always_inline]] void operator()(std::size_t at, __m512i x, __mmask8 there) const {
        const __m512i sum = _mm512_xor_si512(x, _mm512_maskz_loadu_epi64(there, in + at));
        _mm512_mask_storeu_epi64(out + at, there, sum);
    }
    Ahead ahead(std::size_t at, std::size_t) const { return {in + at, out + at, left - at / 8}; }
};

// sum += in * what is written.
struct Multiplication {
    Bytes in;
    Product& sum;

    [[gnu::always_inline]] void operator()(std::size_t at, __m512i h, __mmask8 there) const {
        sum.add(h, _mm512_maskz_loadu_epi64(there, in + at));
    }
    Ahead ahead(std::size_t at, std::size_t left) const { return {in + at, nullptr, left}; }
};

inline void added(const Keys& keys, auto& counter, Bytes in, Out out, std::size_t blocks,
                  std::size_t left) {
    counted<Order::big>(keys, counter, blocks, Addition{in, out, left});
}

// In the order `little` the encryptions come as numbers.
inline void absorbed(const Keys& keys, Counter<Counts::left>& z, Product& sum, Bytes in,
                     std::size_t blocks) {
    counted<Order::little>(keys, z, blocks, Multiplication{in, sum});
}

// Encryption, or decryption, and the sum of the products of what is encrypted, both keystreams at
// once.
template <bool seals>
void sealed_by_words(const Keys& keys, Counter<Counts::right>& y, Counter<Counts::left>& z,
                     Product& sum, Bytes in, Out out, std::size_t blocks) {
    in_words<4>(blocks, [&]<int n>(std::size_t from, std::size_t now) {
        words_counted_twice<n>(keys, y, z, from, now,
                               [&](std::size_t at, __m512i gamma, __m512i h, __mmask8 there) {
                                   const __m512i x = _mm512_maskz_loadu_epi64(there, in + at);
                                   const __m512i result = _mm512_xor_si512(x, gamma);
                                   _mm512_mask_storeu_epi64(out + at, there, result);
                                   sum.add(h, seals ? _mm512_maskz_mov_epi64(there, result) : x);
                               });
        y.advance(now);
        z.advance(now);
    });
}

}  // namespace stend::gost::magma::avx512
STEND_FOR_ANY
#endif
