// What a factored panel means for the columns to its right, strip by strip; and solving with
// the factors. Included as own_tile.h is.
#pragma once

#include "kernels/linpack/own_panel.h"

namespace stend::linpack {

// Rows of L that are gone through with all strips before the next ones: half of a L2 cache of
// 2 MiB, so that they stay there.
inline constexpr std::size_t own_l2 = std::size_t{1} << 20;

// A strip's rows of the panel in their new order, out of the matrix; the rows that made room
// for them go where the pivots send them.
template <typename Lanes>
STEND_INLINE void take_rows(const OwnPanel& panel, double* at, std::size_t lda, std::size_t columns,
                            double* strip) {
    const OwnMove* const moves = panel.moves;
    if (columns == Lanes::columns)
        for (std::size_t i = 0; i < panel.width; ++i)
#pragma GCC unroll 8
            for (std::size_t j = 0; j < Lanes::columns; ++j)
                strip[i * Lanes::columns + j] = at[std::size_t(moves[i].from) + j * lda];
    else
        for (std::size_t i = 0; i < panel.width; ++i)
            for (std::size_t j = 0; j < Lanes::columns; ++j)
                strip[i * Lanes::columns + j] =
                    j < columns ? at[std::size_t(moves[i].from) + j * lda] : 0;
    for (std::size_t i = panel.width; i < panel.move_count; ++i)
        for (std::size_t j = 0; j < columns; ++j)
            at[std::size_t(moves[i].to) + j * lda] = at[std::size_t(moves[i].from) + j * lda];
}

template <typename Lanes>
STEND_INLINE void put_rows(const OwnPanel& panel, double* at, std::size_t lda, std::size_t columns,
                           const double* strip) {
    for (std::size_t j = 0; j < columns; ++j)
        for (std::size_t i = 0; i < panel.width; ++i)
            at[i + j * lda] = strip[i * Lanes::columns + j];
}

// A tile at the matrix's lower or right edge, by way of a whole one.
template <typename Lanes>
void multiply_edge(std::size_t depth, const double* l, const double* u, double* c, std::size_t ldc,
                   std::size_t rows, std::size_t columns) noexcept {
    alignas(64) double whole[tile_rows<Lanes> * Lanes::columns] = {};
    multiply_tile<Lanes, Lanes::vectors>(depth, l, u, whole, tile_rows<Lanes>);
    for (std::size_t j = 0; j < columns; ++j)
        for (std::size_t i = 0; i < rows; ++i) c[i + j * ldc] += whole[i + j * tile_rows<Lanes>];
}

// Rows begin … end of the panel, begin at a tile. Meanwhile the next strip's are asked for, from
// L2: the exchanges of rows take a quarter less when they find them there.
template <typename Lanes>
STEND_INLINE void multiply_strip(const OwnPanel& panel, std::size_t begin, std::size_t end,
                                 const double* strip, double* at, std::size_t lda,
                                 std::size_t columns, bool more) {
    constexpr std::size_t rows = tile_rows<Lanes>;
    for (std::size_t row = begin; row < end; row += rows) {
        if (more) ask_for<Lanes, Lanes::vectors, 2>(at + row + Lanes::columns * lda, lda);
        const double* const l = panel.tiles + row * panel.stride;
        const std::size_t count = std::min(rows, end - row);
        if (columns == Lanes::columns && count == rows)
            multiply_tile<Lanes, Lanes::vectors>(panel.width, l, strip, at + row, lda);
        else if (columns == Lanes::columns && count % Lanes::width == 0)
            multiply_vectors<Lanes>(int(count / Lanes::width), panel.width, l, strip, at + row,
                                    lda);
        else
            multiply_edge<Lanes>(panel.width, l, strip, at + row, lda, count, columns);
    }
}

template <typename Lanes>
void update_columns(const OwnPanel& panel, double* a, std::size_t lda, std::size_t begin,
                    std::size_t end, double* strips) noexcept {
    constexpr std::size_t rows = tile_rows<Lanes>;
    const std::size_t chunk = own_l2 / (sizeof(double) * panel.width) / rows * rows;
    for (std::size_t row = panel.width; row < panel.rows; row += chunk) {
        double* strip = strips;
        for (std::size_t column = begin; column < end; column += Lanes::columns) {
            const std::size_t columns = std::min<std::size_t>(Lanes::columns, end - column);
            double* const at = a + panel.first + column * lda;
            if (row == panel.width) {
                take_rows<Lanes>(panel, at, lda, columns, strip);
                solve_strip<Lanes>(panel, panel.width, strip);
                put_rows<Lanes>(panel, at, lda, columns, strip);
            }
            multiply_strip<Lanes>(panel, row, std::min(row + chunk, panel.rows), strip, at, lda,
                                  columns, column + 2 * Lanes::columns <= end);
            strip += panel.width * Lanes::columns;
        }
    }
}

// y -= A·x for a few columns of A. Bound by how fast A comes.
template <typename Lanes, int columns>
STEND_INLINE void subtract_columns(const double* a, std::size_t lda, const double* x, double* y,
                                   std::size_t rows) {
    std::size_t i = 0;
    for (; i + Lanes::width <= rows; i += Lanes::width) {
        auto sum = load<Lanes>(y + i);
#pragma GCC unroll 8
        for (int j = 0; j < columns; ++j)
            sum = Lanes::minus_product(sum, load<Lanes>(a + i + j * lda), Lanes::all(x[j]));
        store(y + i, sum);
    }
    for (; i < rows; ++i)
        for (int j = 0; j < columns; ++j) y[i] -= a[i + j * lda] * x[j];
}

// Eight columns at a time: the triangle on the diagonal first, then all below or above it.
template <typename Lanes>
void solve_factored(const double* a, std::size_t lda, std::size_t n, double* b) noexcept {
    constexpr std::size_t block = 8;
    for (std::size_t k = 0; k < n; k += block) {
        const std::size_t end = std::min(k + block, n);
        for (std::size_t j = k; j < end; ++j)
            for (std::size_t i = j + 1; i < end; ++i) b[i] -= a[i + j * lda] * b[j];
        if (end < n)
            subtract_columns<Lanes, int(block)>(a + end + k * lda, lda, b + k, b + end, n - end);
    }
    for (std::size_t k = (n - 1) / block * block + block; k >= block; k -= block) {
        const std::size_t begin = k - block, end = std::min(k, n);
        for (std::size_t j = end; j-- > begin;) {
            b[j] /= a[j + j * lda];
            for (std::size_t i = begin; i < j; ++i) b[i] -= a[i + j * lda] * b[j];
        }
        if (end == k)
            subtract_columns<Lanes, int(block)>(a + begin * lda, lda, b + begin, b, begin);
        else
            for (std::size_t j = begin; j < end; ++j)
                subtract_columns<Lanes, 1>(a + j * lda, lda, b + j, b, begin);
    }
}

template <typename Lanes>
inline constexpr OwnMethod own_method{
    tile_rows<Lanes>,    Lanes::columns,        take_panel<Lanes>,    put_panel<Lanes>,
    factor_panel<Lanes>, update_columns<Lanes>, solve_factored<Lanes>};

}  // namespace stend::linpack
