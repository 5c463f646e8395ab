// The matrix product: a block of C stays in registers while all input channels are summed. To be
// included after the STEND_FOR of a variant's file.
#pragma once

#include <cstdint>
#include <utility>

#include "unet/float32/lanes.h"
#include "unet/winograd/kernels.h"

namespace stend::unet::winograd {

using float32::load, float32::store, float32::relu;

// How many rows of C, and vectors of a row, a block has: accumulators, the vectors of B and one
// number of A fill the registers.
template <typename L>
struct Block {
    static constexpr unsigned rows = L::count < 16 ? 6 : 14, vectors = 2;
};

// `rows` rows of C from `first` on. Meanwhile as many lines as those of B are fetched from `next`.
template <typename L, unsigned rows, unsigned vectors>
void block(const Product& product, std::size_t first, const float* next) {
    using Float = typename L::Float;
    const std::ptrdiff_t step = product.step;
    float* c[vectors];
#pragma GCC unroll 4
    for (unsigned v = 0; v < vectors; ++v)
        c[v] = product.c[v * L::count / line] + static_cast<std::ptrdiff_t>(first) * step +
               v * L::count % line;
    Float sums[rows][vectors];
    if (product.add) {
        const float* from[vectors];
#pragma GCC unroll 4
        for (unsigned v = 0; v < vectors; ++v) from[v] = c[v];
#pragma GCC unroll 16
        for (unsigned row = 0; row < rows; ++row)
#pragma GCC unroll 4
            for (unsigned v = 0; v < vectors; ++v, from[v - 1] += step)
                sums[row][v] = load<L>(from[v]);
    } else {
#pragma GCC unroll 4
        for (unsigned v = 0; v < vectors; ++v) {
            Float begin{};
            if (product.bias != nullptr) begin = load<L>(product.bias + v * L::count);
#pragma GCC unroll 16
            for (unsigned row = 0; row < rows; ++row) sums[row][v] = begin;
        }
    }
    const float* b = product.b;
    for (std::size_t plane = 0; plane < product.planes; ++plane) {
        const float* a = product.a + product.offsets[plane] + first * line;
#pragma GCC unroll 1
        for (unsigned k = 0; k < line; ++k, ++a, b += vectors * L::count) {
            Float columns[vectors];
#pragma GCC unroll 4
            for (unsigned v = 0; v < vectors; ++v) columns[v] = load<L>(b + v * L::count);
            if (next != nullptr) {
#pragma GCC unroll 4
                for (unsigned v = 0; v < vectors * L::count; v += line)
                    __builtin_prefetch(next + v, 0, 2);
                next += vectors * L::count;
            }
#pragma GCC unroll 16
            for (unsigned row = 0; row < rows; ++row) {
                const float number = a[row * line];
#pragma GCC unroll 4
                for (unsigned v = 0; v < vectors; ++v) sums[row][v] += number * columns[v];
            }
        }
    }
#pragma GCC unroll 16
    for (unsigned row = 0; row < rows; ++row)
#pragma GCC unroll 4
        for (unsigned v = 0; v < vectors; ++v, c[v - 1] += step) {
            if (product.relu) sums[row][v] = relu<L>(sums[row][v]);
            store<L>(c[v], sums[row][v]);
        }
}

template <typename L, unsigned vectors, unsigned... rows>
void blocks(const Product& product, std::integer_sequence<unsigned, rows...>) {
    using Compute = void (*)(const Product&, std::size_t, const float*);
    static constexpr Compute compute[] = {block<L, rows + 1, vectors>...};
    // As equal as can be: a block of few rows loads B for little.
    const auto all = static_cast<std::uint32_t>(product.rows);
    const std::uint32_t most = sizeof...(rows), count = (all + most - 1) / most;
    const std::uint32_t least = all / count, larger = all - least * count;
    std::size_t first = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t size = least + (i < larger ? 1 : 0);
        compute[size - 1](product, first, i == 0 ? product.next : nullptr);
        first += size;
    }
}

template <typename L>
void product(const Product& product) {
    constexpr auto rows = std::make_integer_sequence<unsigned, Block<L>::rows>{};
    if (product.channels == L::count)
        blocks<L, 1>(product, rows);
    else
        blocks<L, Block<L>::vectors>(product, rows);
}

}  // namespace stend::unet::winograd
