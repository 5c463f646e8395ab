// The two loops in which nearly all the time goes, on tiles of registers: A -= L·U, and the
// rows of U. Included by one file a variant, behind its target pragma, with its own Lanes:
//   Vector, Bits      `width` doubles, 64-bit integers
//   vectors, columns  of a tile; both tiles below must fit into the registers
//   turn              columns of L that multiply_tile takes between two jumps
//   all(x), minus_product(c, a, b) = c - a·b
// A strip is `columns` columns of U, kept row by row.
#pragma once

#include <cstring>

#include "isa/target.h"
#include "kernels/linpack/own_method.h"

namespace stend::linpack {

template <typename Lanes>
inline constexpr std::size_t tile_rows = std::size_t{Lanes::width} * Lanes::vectors;

template <typename Lanes>
STEND_INLINE typename Lanes::Vector load(const double* from) {
    typename Lanes::Vector value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

template <typename Vector>
STEND_INLINE void store(double* to, Vector value) {
    std::memcpy(to, &value, sizeof value);
}

template <typename Lanes, int vectors>
using Sums = typename Lanes::Vector[Lanes::columns][vectors];

// Asks for the lines of some rows of a strip of the matrix, which are to be written.
template <typename Lanes, int vectors, int nearness>
STEND_INLINE void ask_for(double* c, std::size_t ldc) {
#pragma GCC unroll 8
    for (int j = 0; j < Lanes::columns; ++j)
#pragma GCC unroll 8
        for (int i = 0; i < vectors * Lanes::width; i += 8)
            __builtin_prefetch(c + j * ldc + i, 1, nearness);
}

template <typename Lanes, int vectors>
STEND_INLINE void multiply_column(const double* l, const double* u, Sums<Lanes, vectors>& sum) {
    typename Lanes::Vector left[vectors];
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) left[v] = load<Lanes>(l + v * Lanes::width);
#pragma GCC unroll 8
    for (int j = 0; j < Lanes::columns; ++j) {
        const auto right = Lanes::all(u[j]);
#pragma GCC unroll 8
        for (int v = 0; v < vectors; ++v)
            sum[j][v] = Lanes::minus_product(sum[j][v], left[v], right);
    }
}

// c -= l·u: l is `depth` columns of a tile, of which the first `vectors` vectors count, u
// `depth` rows of a strip; depth is a multiple of Lanes::turn. Bound by the multipliers: of the
// AVX-512 tile (24 x 8), each row of u takes 24 fused multiply-adds, 12 cycles, beside 11 loads,
// which take 5.5. c is asked for at the beginning and used at the end.
template <typename Lanes, int vectors>
void multiply_tile(std::size_t depth, const double* l, const double* u, double* c,
                   std::size_t ldc) noexcept {
    Sums<Lanes, vectors> sum = {};
    ask_for<Lanes, vectors, 3>(c, ldc);
    constexpr std::size_t turn = Lanes::turn;
    for (; depth > 0; depth -= turn, l += turn * tile_rows<Lanes>, u += turn * Lanes::columns)
#pragma GCC unroll 2
        for (std::size_t k = 0; k < turn; ++k)
            multiply_column<Lanes, vectors>(l + k * tile_rows<Lanes>, u + k * Lanes::columns, sum);
#pragma GCC unroll 8
    for (int j = 0; j < Lanes::columns; ++j)
#pragma GCC unroll 8
        for (int v = 0; v < vectors; ++v) {
            double* const to = c + j * ldc + v * Lanes::width;
            store(to, load<Lanes>(to) + sum[j][v]);
        }
}

// The same for a number of vectors known at run time.
template <typename Lanes, int vectors = Lanes::vectors>
STEND_INLINE void multiply_vectors(int count, std::size_t depth, const double* l, const double* u,
                                   double* c, std::size_t ldc) noexcept {
    if constexpr (vectors > 0) {
        if (count == vectors) return multiply_tile<Lanes, vectors>(depth, l, u, c, ldc);
        multiply_vectors<Lanes, vectors - 1>(count, depth, l, u, c, ldc);
    }
}

// Rows `depth` … depth + count of a strip of U, from those before: l is the tile of these rows,
// with ones on the diagonal. Here a register holds a row of the strip, so nothing is
// transposed: 24 rows of 8 take 24 multiply-adds and 25 loads a step, 12.5 cycles.
template <typename Lanes, int count>
void solve_rows(std::size_t depth, const double* l, double* strip) noexcept {
    constexpr int columns = Lanes::columns, width = Lanes::width, vectors = columns / width;
    typename Lanes::Vector row[count][vectors];
    double* const own = strip + depth * columns;
#pragma GCC unroll 32
    for (int i = 0; i < count; ++i)
#pragma GCC unroll 8
        for (int v = 0; v < vectors; ++v) row[i][v] = load<Lanes>(own + i * columns + v * width);
    for (std::size_t k = 0; k < depth; ++k, l += tile_rows<Lanes>, strip += columns) {
        typename Lanes::Vector above[vectors];
#pragma GCC unroll 8
        for (int v = 0; v < vectors; ++v) above[v] = load<Lanes>(strip + v * width);
#pragma GCC unroll 32
        for (int i = 0; i < count; ++i) {
            const auto left = Lanes::all(l[i]);
#pragma GCC unroll 8
            for (int v = 0; v < vectors; ++v)
                row[i][v] = Lanes::minus_product(row[i][v], left, above[v]);
        }
    }
#pragma GCC unroll 32
    for (int k = 0; k < count; ++k, l += tile_rows<Lanes>)
#pragma GCC unroll 32
        for (int i = 0; i < count; ++i) {
            if (i <= k) continue;
            const auto left = Lanes::all(l[i]);
#pragma GCC unroll 8
            for (int v = 0; v < vectors; ++v)
                row[i][v] = Lanes::minus_product(row[i][v], left, row[k][v]);
        }
#pragma GCC unroll 32
    for (int i = 0; i < count; ++i)
#pragma GCC unroll 8
        for (int v = 0; v < vectors; ++v) store(own + i * columns + v * width, row[i][v]);
}

// The rows that are left when whole tiles are done: a multiple of `columns`.
template <typename Lanes, int count = int(tile_rows<Lanes>)>
STEND_INLINE void solve_last_rows(std::size_t rows, std::size_t depth, const double* l,
                                  double* strip) noexcept {
    if constexpr (count > 0) {
        if (rows == count) return solve_rows<Lanes, count>(depth, l, strip);
        solve_last_rows<Lanes, count - Lanes::columns>(rows, depth, l, strip);
    }
}

// The first `depth` rows of U of a strip, a multiple of `columns`, in place.
template <typename Lanes>
STEND_INLINE void solve_strip(const OwnPanel& panel, std::size_t depth, double* strip) noexcept {
    constexpr std::size_t rows = tile_rows<Lanes>;
    std::size_t done = 0;
    for (; done + rows <= depth; done += rows)
        solve_rows<Lanes, int(rows)>(done, panel.tiles + done * panel.stride, strip);
    if (done < depth)
        solve_last_rows<Lanes>(depth - done, done, panel.tiles + done * panel.stride, strip);
}

}  // namespace stend::linpack
