// One block, or one chain, by the rounds of words.h in registers of 32 bytes, of which a word each
// is used: there Zen 4 and Zen 5 look up in four cycles instead of five, and between blocks nothing
// is gathered.
#pragma once
#if defined(__x86_64__)
#include "gost/magma/avx512/words.h"

STEND_FOR("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni,pclmul,vpclmulqdq")
namespace stend::gost::magma::avx512 {

// The halves of a block as numbers, rotated right by 11.
struct OneBlock {
    __m256i right, left;

    [[gnu::always_inline]] static OneBlock of(std::uint64_t block) {
        return {rotated(block), rotated(block >> 32)};
    }
    [[gnu::always_inline]] std::uint64_t block() const {
        return std::uint64_t{word(left)} << 32 | word(right);
    }
    [[gnu::always_inline]] void add(const OneBlock& x) {
        right = _mm256_xor_si256(right, x.right);
        left = _mm256_xor_si256(left, x.left);
    }

private:
    [[gnu::always_inline]] static __m256i rotated(std::uint64_t word) {
        const __m128i x = _mm_cvtsi32_si128(static_cast<int>(word));
        return _mm256_ror_epi32(_mm256_castsi128_si256(x), 11);
    }
    [[gnu::always_inline]] static std::uint32_t word(__m256i half) {
        const __m256i x = _mm256_rol_epi32(half, 11);
        return static_cast<std::uint32_t>(_mm_cvtsi128_si32(_mm256_castsi256_si128(x)));
    }
};

class OneNetwork {
public:
    [[gnu::always_inline]] explicit OneNetwork(const Keys& keys)
        : words_(keys.words), even_(keys.even), odd_(keys.odd) {}

    // All rounds, or the first of them, and the last leaves the halves in their places where it is
    // the 32nd (5.4).
    template <typename Way>
    [[gnu::always_inline]] void run(OneBlock& x) const {
#pragma GCC unroll 32
        for (unsigned i = 0; i < Way::rounds; i += 2) {
            round(x.right, x.left, words_[Way::word(i)]);
            round(x.left, x.right, words_[Way::word(i + 1)]);
        }
        if (Way::rounds == 32) std::swap(x.right, x.left);
    }

private:
    class Box {
    public:
        [[gnu::always_inline]] explicit Box(const std::uint8_t (&values)[64])
            : first_(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(values))),
              second_(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(values + 32))) {}
        [[gnu::always_inline]] __m256i operator[](__m256i index) const {
            return _mm256_permutex2var_epi8(first_, index, second_);
        }

    private:
        __m256i first_, second_;
    };

    [[gnu::always_inline]] void round(__m256i right, __m256i& left, std::uint32_t key) const {
        const __m256i low = _mm256_set1_epi8(0x0F), place = _mm256_set1_epi32(0x30201000);
        const __m256i sum =
            _mm256_add_epi32(_mm256_rol_epi32(right, 11), _mm256_set1_epi32(static_cast<int>(key)));
        const __m256i even = ternary<and_or>(sum, low, place);
        const __m256i odd = ternary<and_or>(_mm256_srli_epi32(sum, 4), low, place);
        left = ternary<all_xor>(left, even_[even], odd_[odd]);
    }

    const KeyWords& words_;
    const Box even_, odd_;
};

// `Numbers` says how a block's bytes are a number (../words.h).
template <typename Numbers, typename Way>
void one_block(const Keys& keys, Bytes in, Out out) {
    auto x = OneBlock::of(Numbers::template load<std::uint64_t>(in));
    OneNetwork(keys).run<Way>(x);
    Numbers::store(out, x.block());
}

template <typename Numbers, Feed feed>
[[gnu::noinline]] void one_chain(const Lane& lane, std::size_t blocks) {
    using Way = std::conditional_t<feed == Feed::imito, FirstSixteen, Encryption>;
    const OneNetwork network(keys_of(*lane.schedule));
    auto state = OneBlock::of(Numbers::template load<std::uint64_t>(lane.state));
    for (std::size_t at = 0; blocks > 0; --blocks, at += lane.stride) {
        const auto x = OneBlock::of(Numbers::template load<std::uint64_t>(lane.in + at));
        if constexpr (feed == Feed::mac || feed == Feed::cbc || feed == Feed::imito) state.add(x);
        network.run<Way>(state);
        if constexpr (feed == Feed::cfb) state.add(x);
        auto out = state;
        if constexpr (feed == Feed::ofb) out.add(x);
        if constexpr (feed == Feed::cbc || feed == Feed::cfb || feed == Feed::ofb)
            Numbers::store(lane.out + at, out.block());
    }
    Numbers::store(lane.state, state.block());
}

template <typename Numbers>
void one_chain(Feed feed, const Lane& lane, std::size_t blocks) {
    switch (feed) {
        case Feed::mac:
            return one_chain<Numbers, Feed::mac>(lane, blocks);
        case Feed::cbc:
            return one_chain<Numbers, Feed::cbc>(lane, blocks);
        case Feed::cfb:
            return one_chain<Numbers, Feed::cfb>(lane, blocks);
        case Feed::ofb:
            return one_chain<Numbers, Feed::ofb>(lane, blocks);
        case Feed::imito:
            return one_chain<Numbers, Feed::imito>(lane, blocks);
    }
}

}  // namespace stend::gost::magma::avx512
STEND_FOR_ANY
#endif
