// The transforms of F(4×4, 3×3) (Lavin, Gray 2016, section 4.3): of tiles of inputs (Bᵀ d B), of
// filters (G g Gᵀ), of tiles of products back to outputs (Aᵀ m A). The points are 0, ±2/3, ±3/2, ∞:
// reciprocal ones let rounding errors grow least (../tolerance.cpp).
// To be included after the STEND_FOR of a variant's file.
#pragma once

#include <utility>

#include "unet/float32/lanes.h"
#include "unet/winograd/kernels.h"

namespace stend::unet::winograd {

using float32::load, float32::store;

// In this order of operands it is one instruction of x86. The second when one is no number, so that
// behind ReLU, too, it is seen that sums outgrew float32.
template <typename L>
STEND_INLINE typename L::Float larger(typename L::Float a, typename L::Float b) {
    return a > b ? a : b;
}

inline constexpr float near = 2.0F / 3, far = 3.0F / 2, near2 = 4.0F / 9, far2 = 9.0F / 4;

template <typename Float>
struct Inputs {
    Float at[window];
};

template <typename Float>
STEND_INLINE Inputs<Float> input_row(const Inputs<Float>& d) {
    constexpr float both = near2 + far2;
    const Float even = d.at[4] - far2 * d.at[2], odd = d.at[3] - far2 * d.at[1];
    const Float even2 = d.at[4] - near2 * d.at[2], odd2 = d.at[3] - near2 * d.at[1];
    return {{(d.at[0] + d.at[4]) - both * d.at[2], even + near * odd, even - near * odd,
             even2 + far * odd2, even2 - far * odd2, (d.at[1] + d.at[5]) - both * d.at[3]}};
}

template <typename Float>
struct Outputs {
    Float at[tile];
};

// All of the scale is here, so that filters, of which there are most, have a one among their
// factors: the k-th output has z^k / (2 z² (z² - z'²)) of the products at ±z, z' the other point.
template <typename Float>
STEND_INLINE Outputs<Float> output_row(const Inputs<Float>& m) {
    constexpr float scale = 1 / (2 * near2 * (near2 - far2)),
                    scale2 = 1 / (2 * far2 * (far2 - near2));
    const Float sum = m.at[1] + m.at[2], difference = m.at[1] - m.at[2];
    const Float sum2 = m.at[3] + m.at[4], difference2 = m.at[3] - m.at[4];
    return {{(m.at[0] + scale * sum) + scale2 * sum2,
             scale * near * difference + scale2 * far * difference2,
             scale * near2 * sum + scale2 * far2 * sum2,
             (m.at[5] + scale * near * near2 * difference) + scale2 * far * far2 * difference2}};
}

template <typename Float>
STEND_INLINE Inputs<Float> filter_row(Float g0, Float g1, Float g2) {
    const Float even = g0 + near2 * g2, even2 = g0 + far2 * g2;
    return {{g0, even + near * g1, even - near * g1, even2 + far * g1, even2 - far * g1, g2}};
}

template <typename L>
STEND_INLINE void input_tile(const float* pixel, std::ptrdiff_t pitch, float* to,
                             std::ptrdiff_t stride) {
    using Float = typename L::Float;
    Inputs<Float> columns[window];
#pragma GCC unroll 8
    for (unsigned x = 0; x < window; ++x) {
        Inputs<Float> column;
#pragma GCC unroll 8
        for (unsigned y = 0; y < window; ++y)
            column.at[y] = load<L>(pixel + static_cast<std::ptrdiff_t>(y) * pitch + x * line);
        columns[x] = input_row(column);
    }
#pragma GCC unroll 8
    for (unsigned y = 0; y < window; ++y) {
        Inputs<Float> row;
#pragma GCC unroll 8
        for (unsigned x = 0; x < window; ++x) row.at[x] = columns[x].at[y];
        row = input_row(row);
#pragma GCC unroll 8
        for (unsigned x = 0; x < window; ++x)
            store<L>(to + static_cast<std::ptrdiff_t>(y * window + x) * stride, row.at[x]);
    }
}

template <typename L>
void input(const InputTiles& tiles) {
    for (std::size_t i = 0; i < tiles.count; ++i) {
        for (unsigned lane = 0; lane < line; lane += L::count)
            input_tile<L>(tiles.pixel + i * tile * line + lane, tiles.pitch,
                          tiles.to + i * line + lane, tiles.stride);
    }
}

template <typename L>
struct OutputTile {
    typename L::Float at[tile][tile];
};

template <typename L>
STEND_INLINE OutputTile<L> output_tile(const float* from, std::ptrdiff_t stride,
                                       typename L::Float bias, bool relu) {
    using Float = typename L::Float;
    Outputs<Float> columns[window];
#pragma GCC unroll 8
    for (unsigned x = 0; x < window; ++x) {
        Inputs<Float> column;
#pragma GCC unroll 8
        for (unsigned y = 0; y < window; ++y)
            column.at[y] = load<L>(from + static_cast<std::ptrdiff_t>(y * window + x) * stride);
        columns[x] = output_row(column);
    }
    OutputTile<L> made;
    const Float least = relu ? Float{} : Float{} - __builtin_inff();
#pragma GCC unroll 8
    for (unsigned y = 0; y < tile; ++y) {
        Inputs<Float> row;
#pragma GCC unroll 8
        for (unsigned x = 0; x < window; ++x) row.at[x] = columns[x].at[y];
        const Outputs<Float> outputs = output_row(row);
#pragma GCC unroll 8
        for (unsigned x = 0; x < tile; ++x) made.at[y][x] = larger<L>(least, outputs.at[x] + bias);
    }
    return made;
}

// `rows` and `columns` of the tile; all of it when they are constants.
template <typename L>
STEND_INLINE void put(const OutputTile<L>& made, std::size_t rows, std::size_t columns,
                      float* pixel, std::ptrdiff_t pitch) {
#pragma GCC unroll 8
    for (unsigned y = 0; y < tile; ++y)
#pragma GCC unroll 8
        for (unsigned x = 0; x < tile; ++x)
            if (y < rows && x < columns)
                store<L>(pixel + static_cast<std::ptrdiff_t>(y) * pitch + x * line, made.at[y][x]);
}

template <typename L>
STEND_INLINE void pool(const OutputTile<L>& made, std::size_t rows, std::size_t columns,
                       float* pixel, std::ptrdiff_t pitch) {
#pragma GCC unroll 8
    for (unsigned y = 0; y < tile; y += 2)
#pragma GCC unroll 8
        for (unsigned x = 0; x < tile; x += 2)
            if (y < rows && x < columns)
                store<L>(pixel + static_cast<std::ptrdiff_t>(y / 2) * pitch + x / 2 * line,
                         larger<L>(larger<L>(made.at[y][x], made.at[y][x + 1]),
                                   larger<L>(made.at[y + 1][x], made.at[y + 1][x + 1])));
}

template <typename L>
void output(const OutputTiles& tiles) {
    for (std::size_t i = 0; i < tiles.count; ++i)
        for (unsigned lane = 0; lane < line; lane += L::count) {
            const OutputTile<L> made = output_tile<L>(tiles.from + i * line + lane, tiles.stride,
                                                      load<L>(tiles.bias + lane), tiles.relu);
            const std::size_t columns = tiles.columns - i * tile;
            float* pixel = tiles.pixel + i * tile * line + lane;
            if (tiles.rows >= tile && columns >= tile)
                put<L>(made, tile, tile, pixel, tiles.pitch);
            else
                put<L>(made, tiles.rows, columns, pixel, tiles.pitch);
            if (tiles.pooled != nullptr)
                pool<L>(made, tiles.rows, columns, tiles.pooled + i * (tile / 2) * line + lane,
                        tiles.pooled_pitch);
        }
}

// Input channels between the weights that are fetched and those that are transformed.
inline constexpr std::size_t fetched_before = 8;

template <typename L>
void filters(const float* weights, std::size_t channels, std::size_t width, float* to,
             std::ptrdiff_t stride) {
    using Float = typename L::Float;
    for (std::size_t channel = 0; channel < channels; ++channel, weights += 9 * width)
        for (std::size_t lane = 0; lane < width; lane += L::count, to += L::count) {
            const float* from = weights + lane;
            // They come from memory, and among the 36 elements that are written no hardware sees
            // it (measured: 127 cycles instead of 329 for 16 output channels).
#pragma GCC unroll 16
            for (unsigned tap = 0; tap < 9; ++tap)
                __builtin_prefetch(from + (fetched_before * 9 + tap) * width);
            Inputs<Float> columns[3];
#pragma GCC unroll 4
            for (unsigned x = 0; x < 3; ++x)
                columns[x] =
                    filter_row<Float>(load<L>(from + x * width), load<L>(from + (3 + x) * width),
                                      load<L>(from + (6 + x) * width));
#pragma GCC unroll 8
            for (unsigned y = 0; y < window; ++y) {
                const Inputs<Float> row =
                    filter_row<Float>(columns[0].at[y], columns[1].at[y], columns[2].at[y]);
#pragma GCC unroll 8
                for (unsigned x = 0; x < window; ++x)
                    store<L>(to + static_cast<std::ptrdiff_t>(y * window + x) * stride, row.at[x]);
            }
        }
}

}  // namespace stend::unet::winograd
