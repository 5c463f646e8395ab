// One chain of blocks by AVX2 and GFNI: the state stays in both halves of a vector, in the basis of
// the round keys.
//
// With s the state of the standard, x is s + after: the next block's first key and what is fed into
// it, which go in with the last layer's key, so that a block is nine rounds and nothing between.
#pragma once
#if defined(__x86_64__)
#include "gost/kuznyechik/gfni/few.h"

namespace stend::gost::kuznyechik::gfni {

STEND_FOR("avx2,gfni")
namespace {

class Chain {
public:
    Chain(Feed feed, const Keys& keys, const Lane& lane) : feed_(feed), keys_(keys), lane_(lane) {}

    [[gnu::always_inline]] void run(std::size_t blocks) const {
        V after = coming(0, blocks), x = taken(lane_.state) ^ after;
        for (std::size_t block = 0; block < blocks; ++block) {
            after = coming(block + 1, blocks);
            V last = key_of(keys_, 9) ^ after;
            if (feed_ == Feed::cfb) last ^= input(block);
            for (int round = 1; round < 9; ++round)
                x = transformed_one(substitute_soon(x), one_forward, key_of(keys_, round));
            x = transformed_one(substitute_soon(x), one_forward, last);
            if (feed_ != Feed::mac) put(given(x ^ after), block);
        }
        _mm_storeu_si128(reinterpret_cast<__m128i*>(lane_.state), given(x ^ after));
    }

private:
    [[gnu::always_inline]] static V taken(Bytes block) {
        return affine<0>(both(block), all(between(plain, own)));
    }
    [[gnu::always_inline]] static __m128i given(V x) {
        return _mm256_castsi256_si128(affine<0>(x, all(between(own, plain))));
    }
    [[gnu::always_inline]] V input(std::size_t block) const {
        return taken(lane_.in + block * lane_.stride);
    }

    // What is added to the state before block `block`.
    [[gnu::always_inline]] V coming(std::size_t block, std::size_t blocks) const {
        const bool fed = (feed_ == Feed::mac || feed_ == Feed::cbc) && block < blocks;
        return fed ? key_of(keys_, 0) ^ input(block) : key_of(keys_, 0);
    }

    [[gnu::always_inline]] void put(__m128i state, std::size_t block) const {
        const std::size_t at = block * lane_.stride;
        if (feed_ == Feed::ofb)
            state ^= _mm_loadu_si128(reinterpret_cast<const __m128i*>(lane_.in + at));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(lane_.out + at), state);
    }

    Feed feed_;
    const Keys& keys_;
    const Lane& lane_;
};

[[gnu::noinline]] void chain_one(Feed feed, const Keys& keys, const Lane& lane,
                                 std::size_t blocks) {
    Chain(feed, keys, lane).run(blocks);
}

}  // namespace
STEND_FOR_ANY

}  // namespace stend::gost::kuznyechik::gfni
#endif
