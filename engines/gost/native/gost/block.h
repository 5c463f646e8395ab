// Blocks as bytes and as big-endian numbers.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace stend::gost {

inline std::uint64_t swapped(std::uint64_t x) {
    return __builtin_bswap64(x);
}
inline std::uint32_t swapped(std::uint32_t x) {
    return __builtin_bswap32(x);
}

template <typename Word>
Word load_big(const std::uint8_t* bytes) {
    Word x;
    std::memcpy(&x, bytes, sizeof x);
    return std::endian::native == std::endian::little ? swapped(x) : x;
}

template <typename Word>
void store_big(std::uint8_t* bytes, Word x) {
    if constexpr (std::endian::native == std::endian::little) x = swapped(x);
    std::memcpy(bytes, &x, sizeof x);
}

// A block xor another, a word at a time.
template <std::size_t block>
void exclusive_or(std::uint8_t* out, const std::uint8_t* a, const std::uint8_t* b) {
    for (std::size_t i = 0; i < block; i += 8) {
        std::uint64_t x, y;
        std::memcpy(&x, a + i, 8);
        std::memcpy(&y, b + i, 8);
        x ^= y;
        std::memcpy(out + i, &x, 8);
    }
}

// `counter` + `by` modulo 2^n, n the bits of a block.
template <std::size_t block>
void advance(std::uint8_t* counter, std::uint64_t by) {
    if constexpr (block == 8) {
        store_big(counter, load_big<std::uint64_t>(counter) + by);
    } else {
        const std::uint64_t low = load_big<std::uint64_t>(counter + 8) + by;
        store_big(counter + 8, low);
        store_big(counter, load_big<std::uint64_t>(counter) + (low < by));
    }
}

// One half of a block + `by` modulo 2^(n/2): how MGM counts (RFC 9058, 3: incr_l and incr_r).
template <std::size_t block>
void advance_half(std::uint8_t* half, std::uint64_t by) {
    if constexpr (block == 8)
        store_big(half, load_big<std::uint32_t>(half) + static_cast<std::uint32_t>(by));
    else
        store_big(half, load_big<std::uint64_t>(half) + by);
}

// A counter of MGM or of GOST 28147-89 is a secret. GCC counts a loop by one number where two move
// on together, and then makes an address or a condition of a counter, less what it began with.
template <typename Word>
[[gnu::always_inline]] inline void keep_apart([[maybe_unused]] Word& counter) {
#if !defined(__clang__)  // its MemorySanitizer demands that what assembly gets be defined
    asm("" : "+r"(counter));
#endif
}

// Writes `number` counters one after the other and moves the counter on behind them. `half` is the
// offset of the half of the block that counts (MGM), or without_half, when all of it does.
inline constexpr std::size_t without_half = ~std::size_t{0};

// MGM's counters are secret: a function for both, with and without a carry, would look for it by a
// branch.
template <std::size_t block, typename Word, bool carries>
void write_halves(std::uint8_t* out, std::uint8_t* counter, std::size_t half, std::size_t number) {
    std::uint8_t* const other_half = counter + (sizeof(Word) - half);
    Word counting = load_big<Word>(counter + half), other = load_big<Word>(other_half);
    for (; number > 0; --number, out += block) {
        store_big(out + half, counting);
        store_big(out + (sizeof(Word) - half), other);
        ++counting;
        keep_apart(counting);
        if constexpr (carries) other = static_cast<Word>(other + (counting == 0));
    }
    store_big(counter + half, counting);
    store_big(other_half, other);
}

template <std::size_t block>
void write_counters(std::uint8_t* out, std::uint8_t* counter, std::size_t half,
                    std::size_t number) {
    using Word = std::conditional_t<block == 16, std::uint64_t, std::uint32_t>;
    if (half == without_half)
        write_halves<block, Word, true>(out, counter, sizeof(Word), number);
    else
        write_halves<block, Word, false>(out, counter, half, number);
}

}  // namespace stend::gost
