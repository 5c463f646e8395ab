// Factoring a panel that is kept in tiles: by leaves, as wide as a strip, from left to right.
// What the leaves before mean for a leaf is the work of own_tile.h, as it is for the rest of
// the matrix; a leaf itself goes column by column. Included as own_tile.h is.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/linpack/own_tile.h"

namespace stend::linpack {

template <typename Lanes>
STEND_INLINE double* place(const OwnPanel& panel, std::size_t row, std::size_t column) {
    constexpr std::size_t rows = tile_rows<Lanes>;
    return panel.tiles + (row / rows * panel.stride + column) * rows + row % rows;
}

template <typename Lanes>
STEND_INLINE void exchange(const OwnPanel& panel, std::size_t row, std::size_t other,
                           std::size_t column, std::size_t columns) {
    if (row == other) return;
    double *x = place<Lanes>(panel, row, column), *y = place<Lanes>(panel, other, column);
    for (; columns > 0; --columns, x += tile_rows<Lanes>, y += tile_rows<Lanes>) std::swap(*x, *y);
}

// The largest magnitude seen in each lane and the tile where; of equals the first. Nothing is
// larger than it was at first: neither 0 nor NaN becomes a pivot by being looked for.
template <typename Lanes>
struct Search {
    typename Lanes::Vector most[Lanes::vectors] = {};
    typename Lanes::Bits tile[Lanes::vectors] = {};

    STEND_INLINE void see(int slot, typename Lanes::Vector value, std::int64_t number) {
        using Bits = typename Lanes::Bits;
        constexpr std::int64_t magnitude = INT64_MAX;
        const auto size = (typename Lanes::Vector)((Bits)value & (Bits{} + magnitude));
        const auto more = size > most[slot];
        most[slot] = more ? size : most[slot];
        tile[slot] = more ? Bits{} + number : tile[slot];
    }

    // The row of the largest, or `none`.
    STEND_INLINE std::size_t row(std::size_t none) const {
        constexpr std::size_t rows = tile_rows<Lanes>;
        double sizes[rows];
        std::int64_t tiles[rows];
        std::memcpy(sizes, most, sizeof most);
        std::memcpy(tiles, tile, sizeof tile);
        double best = 0;
        std::size_t found = none;
        for (std::size_t lane = 0; lane < rows; ++lane) {
            const std::size_t row = std::size_t(tiles[lane]) * rows + lane;
            const bool better = sizes[lane] > best || (sizes[lane] == best && row < found);
            found = better && sizes[lane] > 0 ? row : found;
            best = better ? sizes[lane] : best;
        }
        return found;
    }
};

// A leaf while it is factored.
struct Leaf {
    const OwnPanel& panel;
    std::size_t first;  // column and row of the panel
    std::size_t columns;
};

// One tile of pass(): rows before `begin` of the tile are left as they are.
template <typename Lanes, int before, bool top>
STEND_INLINE void pass_tile(double* leaf, const typename Lanes::Vector* u,
                            typename Lanes::Vector scale, std::size_t begin, std::size_t number,
                            Search<Lanes>& search) {
    constexpr std::size_t rows = tile_rows<Lanes>;
    using Vector = typename Lanes::Vector;
    const int skipped = top ? int(begin / Lanes::width) : 0;
#pragma GCC unroll 8
    for (int v = 0; v < Lanes::vectors; ++v) {
        if (top && v < skipped) continue;
        double* const at = leaf + v * Lanes::width;
        typename Lanes::Bits kept = {};
        if constexpr (top) kept = Lanes::numbers() + v * Lanes::width < std::int64_t(begin);
        Vector value = load<Lanes>(at + before * rows);
        const Vector old = value;
#pragma GCC unroll 16
        for (int k = 0; k < before; ++k) {
            Vector l = load<Lanes>(at + k * rows);
            if (k == before - 1) {
                const Vector unscaled = l;
                l = l * scale;
                if constexpr (top) l = kept ? unscaled : l;
                store(at + k * rows, l);
            }
            value = Lanes::minus_product(value, l, u[k]);
        }
        if constexpr (top) value = kept ? old : value;
        if constexpr (before > 0) store(at + before * rows, value);
        if constexpr (top) value = kept ? Vector{} : value;
        search.see(v, value, std::int64_t(number));
    }
}

// Column `before` of a leaf: from the columns before it and its own rows of U, with the search
// for its pivot and the division of the column before it by that one's pivot, all in one pass.
template <typename Lanes, int before>
std::size_t pass(const Leaf& leaf, double scale) noexcept {
    constexpr std::size_t rows = tile_rows<Lanes>;
    const OwnPanel& panel = leaf.panel;
    double* const corner = place<Lanes>(panel, leaf.first, leaf.first);
    double above[before + 1];
    for (int i = 0; i < before; ++i) {
        above[i] = corner[before * rows + i];
        for (int k = 0; k < i; ++k) above[i] -= corner[k * rows + i] * above[k];
        corner[before * rows + i] = above[i];
    }
    typename Lanes::Vector u[before + 1];
    for (int i = 0; i < before; ++i) u[i] = Lanes::all(above[i]);

    Search<Lanes> search;
    const auto scales = Lanes::all(scale);
    const std::size_t row = leaf.first + before;
    std::size_t tile = leaf.first / rows;
    const std::size_t tiles = (panel.rows + rows - 1) / rows;
    double* at = panel.tiles + (tile * panel.stride + leaf.first) * rows;
    pass_tile<Lanes, before, true>(at, u, scales, row - tile * rows, tile, search);
    for (++tile, at += panel.stride * rows; tile < tiles; ++tile, at += panel.stride * rows)
        pass_tile<Lanes, before, false>(at, u, scales, 0, tile, search);
    return search.row(row);
}

template <typename Lanes, int before = Lanes::columns - 1>
STEND_INLINE std::size_t pass_for(int column, const Leaf& leaf, double scale) noexcept {
    if constexpr (before >= 0) {
        if (column == before) return pass<Lanes, before>(leaf, scale);
        return pass_for<Lanes, before - 1>(column, leaf, scale);
    }
    return 0;
}

template <typename Lanes, typename Change>
STEND_INLINE void change_below(const OwnPanel& panel, std::size_t row, std::size_t column,
                               Change change) {
    constexpr std::size_t rows = tile_rows<Lanes>;
    for (std::size_t i = row + 1; i < panel.rows;) {
        double* const at = place<Lanes>(panel, i, column);
        const std::size_t count = std::min(rows - i % rows, panel.rows - i);
        for (std::size_t k = 0; k < count; ++k) at[k] = change(at[k]);
        i += count;
    }
}

// What a column is to be multiplied with, for its pivot. The reciprocal of a pivot too small
// for one is never taken: then the column is divided at once (as LAPACK's dgetf2 does).
template <typename Lanes>
STEND_INLINE double scale_of(const OwnPanel& panel, std::size_t column) {
    constexpr double smallest = std::numeric_limits<double>::min();
    const double pivot = *place<Lanes>(panel, column, column);
    if (pivot == 0) return 1;
    if (!(std::abs(pivot) < smallest)) return 1 / pivot;
    change_below<Lanes>(panel, column, column, [pivot](double x) { return x / pivot; });
    return 1;
}

template <typename Lanes>
std::size_t factor_leaf(const Leaf& leaf) noexcept {
    const OwnPanel& panel = leaf.panel;
    std::size_t missing = 0;
    double scale = 1;
    for (std::size_t j = 0; j < leaf.columns; ++j) {
        const std::size_t column = leaf.first + j;
        const std::size_t pivot = pass_for<Lanes>(int(j), leaf, scale);
        panel.pivots[column] = std::int32_t(pivot);
        exchange<Lanes>(panel, column, pivot, leaf.first, leaf.columns);
        if (missing == 0 && *place<Lanes>(panel, column, column) == 0) missing = column + 1;
        scale = scale_of<Lanes>(panel, column);
    }
    const std::size_t last = leaf.first + leaf.columns - 1;
    change_below<Lanes>(panel, last, last, [scale](double x) { return x * scale; });
    return missing;
}

// Column after column, so that the matrix is read and written in one stream.
template <typename Lanes>
void take_panel(const OwnPanel& panel, const double* a, std::size_t lda) noexcept {
    constexpr std::size_t rows = tile_rows<Lanes>;
    for (std::size_t j = 0; j < panel.stride; ++j, a += lda) {
        double* to = panel.tiles + j * rows;
        std::size_t row = 0;
        for (; j < panel.width && row + rows <= panel.rows; row += rows, to += panel.stride * rows)
#pragma GCC unroll 8
            for (int v = 0; v < Lanes::vectors; ++v)
                store(to + v * Lanes::width, load<Lanes>(a + row + v * Lanes::width));
        for (; row < panel.rows; row += rows, to += panel.stride * rows)
            for (std::size_t i = 0; i < rows; ++i)
                to[i] = j < panel.width && row + i < panel.rows ? a[row + i] : 0;
    }
}

template <typename Lanes>
void put_panel(const OwnPanel& panel, double* a, std::size_t lda) noexcept {
    constexpr std::size_t rows = tile_rows<Lanes>;
    for (std::size_t j = 0; j < panel.width; ++j, a += lda) {
        const double* from = panel.tiles + j * rows;
        std::size_t row = 0;
        for (; row + rows <= panel.rows; row += rows, from += panel.stride * rows)
#pragma GCC unroll 8
            for (int v = 0; v < Lanes::vectors; ++v)
                store(a + row + v * Lanes::width, load<Lanes>(from + v * Lanes::width));
        std::copy_n(from, panel.rows - row, a + row);
    }
}

// The first `rows` rows of the strip at a column of the panel: out of it, and back into it.
template <typename Lanes>
STEND_INLINE void take_strip(const OwnPanel& panel, std::size_t column, std::size_t rows,
                             double* strip) {
    for (std::size_t i = 0; i < rows; ++i, strip += Lanes::columns)
        for (std::size_t j = 0; j < Lanes::columns; ++j)
            strip[j] = *place<Lanes>(panel, i, column + j);
}

template <typename Lanes>
STEND_INLINE void put_strip(const OwnPanel& panel, std::size_t column, std::size_t rows,
                            const double* strip) {
    for (std::size_t i = 0; i < rows; ++i, strip += Lanes::columns)
        for (std::size_t j = 0; j < Lanes::columns; ++j)
            *place<Lanes>(panel, i, column + j) = strip[j];
}

// What the leaves before `first` mean for the leaf there.
template <typename Lanes>
STEND_INLINE void update_leaf(const OwnPanel& panel, std::size_t first, double* strip) {
    constexpr std::size_t rows = tile_rows<Lanes>;
    for (std::size_t i = 0; i < first; ++i)
        exchange<Lanes>(panel, i, std::size_t(panel.pivots[i]), first, Lanes::columns);
    take_strip<Lanes>(panel, first, first, strip);
    solve_strip<Lanes>(panel, first, strip);
    put_strip<Lanes>(panel, first, first, strip);
    for (std::size_t row = first; row < panel.rows; row = (row / rows + 1) * rows) {
        const int count = int((rows - row % rows) / Lanes::width);
        multiply_vectors<Lanes>(count, first, place<Lanes>(panel, row, 0), strip,
                                place<Lanes>(panel, row, first), rows);
    }
}

template <typename Lanes>
std::size_t factor_panel(const OwnPanel& panel) noexcept {
    constexpr std::size_t columns = Lanes::columns;
    alignas(64) double strip[own_widest * columns];
    std::size_t missing = 0;
    for (std::size_t first = 0; first < panel.width; first += columns) {
        if (first > 0) update_leaf<Lanes>(panel, first, strip);
        const std::size_t end = std::min(first + columns, panel.width);
        const std::size_t found = factor_leaf<Lanes>({panel, first, end - first});
        if (missing == 0) missing = found;
        for (std::size_t i = first; i < end; ++i)
            exchange<Lanes>(panel, i, std::size_t(panel.pivots[i]), 0, first);
    }
    return missing;
}

}  // namespace stend::linpack
