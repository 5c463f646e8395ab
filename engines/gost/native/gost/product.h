// Multiplication in the fields of MGM, GF(2^128) and GF(2^64) (RFC 9058, 3), in plain C++ and in
// constant time where the processor multiplies integers so.
//
// A carry-less product is made of integer products of numbers that have a bit set at most in every
// fourth place: sums of up to 15 ones do not reach the next place of the same class.
#pragma once

#include "gost/block.h"

namespace stend::gost {

struct Wide {
    std::uint64_t low, high;
};

// The low half of the carry-less product.
inline std::uint64_t carryless_low(std::uint64_t x, std::uint64_t y) {
    constexpr std::uint64_t every_fourth = 0x1111111111111111;
    std::uint64_t parts_x[4], parts_y[4], product = 0;
    for (unsigned i = 0; i < 4; ++i) {
        parts_x[i] = x & (every_fourth << i);
        parts_y[i] = y & (every_fourth << i);
    }
    for (unsigned place = 0; place < 4; ++place) {
        std::uint64_t sum = 0;
        for (unsigned i = 0; i < 4; ++i) sum ^= parts_x[i] * parts_y[(place - i) & 3];
        product |= sum & (every_fourth << place);
    }
    return product;
}

inline std::uint64_t mirrored(std::uint64_t x) {
    x = ((x >> 1) & 0x5555555555555555) | ((x & 0x5555555555555555) << 1);
    x = ((x >> 2) & 0x3333333333333333) | ((x & 0x3333333333333333) << 2);
    x = ((x >> 4) & 0x0F0F0F0F0F0F0F0F) | ((x & 0x0F0F0F0F0F0F0F0F) << 4);
    return swapped(x);
}

// The high half is the low half of the mirrored factors' product, mirrored.
inline Wide carryless(std::uint64_t x, std::uint64_t y) {
    return {carryless_low(x, y), mirrored(carryless_low(mirrored(x), mirrored(y))) >> 1};
}

// x modulo the polynomial x^64 + x^4 + x^3 + x + 1.
inline std::uint64_t reduced_64(Wide x) {
    const auto times = [](std::uint64_t a) { return a ^ (a << 1) ^ (a << 3) ^ (a << 4); };
    const std::uint64_t over = (x.high >> 63) ^ (x.high >> 61) ^ (x.high >> 60);
    return x.low ^ times(x.high) ^ times(over);
}

// low + high * t^128 modulo the polynomial t^128 + t^7 + t^2 + t + 1.
inline Wide reduced_128(Wide low, Wide high) {
    const auto times = [](std::uint64_t a) { return a ^ (a << 1) ^ (a << 2) ^ (a << 7); };
    const auto over = [](std::uint64_t a) { return (a >> 63) ^ (a >> 62) ^ (a >> 57); };
    low.low ^= times(high.low) ^ times(over(high.high));
    low.high ^= times(high.high) ^ over(high.low);
    return low;
}

// sum += h[0]·x[0] + h[1]·x[1] + …, blocks as bytes.
struct PlainProduct {
    template <std::size_t block>
    static void add(std::uint8_t* sum, const std::uint8_t* h, const std::uint8_t* x,
                    std::size_t blocks);
};

template <>
inline void PlainProduct::add<8>(std::uint8_t* sum, const std::uint8_t* h, const std::uint8_t* x,
                                 std::size_t blocks) {
    Wide total = {load_big<std::uint64_t>(sum), 0};
    for (std::size_t i = 0; i < 8 * blocks; i += 8) {
        const Wide product =
            carryless(load_big<std::uint64_t>(h + i), load_big<std::uint64_t>(x + i));
        total.low ^= product.low;
        total.high ^= product.high;
    }
    store_big(sum, reduced_64(total));
}

template <>
inline void PlainProduct::add<16>(std::uint8_t* sum, const std::uint8_t* h, const std::uint8_t* x,
                                  std::size_t blocks) {
    Wide low = {load_big<std::uint64_t>(sum + 8), load_big<std::uint64_t>(sum)}, high = {};
    for (std::size_t i = 0; i < 16 * blocks; i += 16) {
        const Wide a = {load_big<std::uint64_t>(h + i + 8), load_big<std::uint64_t>(h + i)};
        const Wide b = {load_big<std::uint64_t>(x + i + 8), load_big<std::uint64_t>(x + i)};
        const Wide bottom = carryless(a.low, b.low), top = carryless(a.high, b.high);
        const Wide mixed = carryless(a.low ^ a.high, b.low ^ b.high);  // Karatsuba
        low.low ^= bottom.low;
        low.high ^= bottom.high ^ mixed.low ^ bottom.low ^ top.low;
        high.low ^= top.low ^ mixed.high ^ bottom.high ^ top.high;
        high.high ^= top.high;
    }
    const Wide total = reduced_128(low, high);
    store_big(sum, total.high);
    store_big(sum + 8, total.low);
}

}  // namespace stend::gost
