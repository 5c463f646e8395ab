// The matrix product: a block of C stays in registers while all input channels are summed. To be
// included after the STEND_FOR of a variant's file.
#pragma once

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

// `rows` rows of C from `first` on.
template <typename L, unsigned rows, unsigned vectors>
void block(const Product& product, std::size_t first, const float* ahead, std::size_t ahead_step) {
    using Float = typename L::Float;
    const auto begin = [&](unsigned row, unsigned vector) {
        const std::size_t channel = vector * L::count;
        return product.c[channel / line] + static_cast<std::ptrdiff_t>(first + row) * product.step +
               channel % line;
    };
    Float sums[rows][vectors];
#pragma GCC unroll 16
    for (unsigned row = 0; row < rows; ++row)
#pragma GCC unroll 4
        for (unsigned v = 0; v < vectors; ++v) {
            if (product.add)
                sums[row][v] = load<L>(begin(row, v));
            else if (product.bias != nullptr)
                sums[row][v] = load<L>(product.bias + v * L::count);
            else
                sums[row][v] = Float{};
        }
    const float* b = product.b;
    for (std::size_t plane = 0; plane < product.planes; ++plane) {
        const float* a = product.a + product.offsets[plane] + first * line;
#pragma GCC unroll 1
        for (unsigned k = 0; k < line; ++k, ++a, b += vectors * L::count, ahead += ahead_step) {
            Float columns[vectors];
#pragma GCC unroll 4
            for (unsigned v = 0; v < vectors; ++v) columns[v] = load<L>(b + v * L::count);
#pragma GCC unroll 4
            for (unsigned v = 0; v < vectors * L::count; v += line)
                __builtin_prefetch(ahead + v, 0, 2);
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
        for (unsigned v = 0; v < vectors; ++v) {
            if (product.relu) sums[row][v] = relu<L>(sums[row][v]);
            store<L>(begin(row, v), sums[row][v]);
        }
}

template <typename L, unsigned vectors, unsigned... rows>
void blocks(const Product& product, std::integer_sequence<unsigned, rows...>) {
    using Compute = void (*)(const Product&, std::size_t, const float*, std::size_t);
    static constexpr Compute compute[] = {block<L, rows + 1, vectors>...};
    // As equal as can be: a block of few rows loads B for little.
    const std::size_t count = (product.rows + sizeof...(rows) - 1) / sizeof...(rows);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t first = product.rows * i / count, end = product.rows * (i + 1) / count;
        const bool fetch = i == 0 && product.next != nullptr;
        compute[end - first - 1](product, first, fetch ? product.next : product.b,
                                 fetch ? vectors * L::count : 0);
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
