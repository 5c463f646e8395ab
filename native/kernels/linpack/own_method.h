// What the parts of our LU factorisation hand to each other: a panel in tiles, the moves of
// rows that its pivots mean, and the functions of a variant.
#pragma once

#include <cstddef>
#include <cstdint>

namespace stend::linpack {

// A panel is at most this wide, so that a leaf finds a place on the stack.
inline constexpr std::size_t own_widest = 96;

struct OwnMove {
    std::int32_t to, from;  // rows of a panel
};

// Columns first … first + width of the matrix from row `first` on, factored. Kept in tiles, the
// form in which the update reads L: tile t holds rows t·R … t·R + R (R = OwnMethod::rows), all of
// its columns one after the other. Rows and columns beyond the matrix are 0.
struct OwnPanel {
    std::size_t first = 0, width = 0;
    std::size_t rows = 0;    // of the matrix, from `first` on
    std::size_t stride = 0;  // columns a tile has room for
    double* tiles = nullptr;
    std::int32_t* pivots = nullptr;  // row i was exchanged with row pivots[i], both of the panel
    // All exchanges at once: the first `width` moves bring the rows that become 0 … width - 1,
    // the rest take rows from there to below.
    OwnMove* moves = nullptr;
    std::size_t move_count = 0;
};

// A variant. "Strip": OwnMethod::columns columns of the matrix.
struct OwnMethod {
    std::size_t rows;     // of a tile
    std::size_t columns;  // of a tile

    // Between the tiles of a panel and the matrix, of which a is the panel's first element.
    void (*take)(const OwnPanel& panel, const double* a, std::size_t lda) noexcept;
    void (*put)(const OwnPanel& panel, double* a, std::size_t lda) noexcept;

    // Factors the panel, whose tiles hold the matrix. Returns its first column without a pivot,
    // counted from 1, or 0.
    std::size_t (*factor)(const OwnPanel& panel) noexcept;

    // What the panel means for columns begin … end of the matrix: exchanges of rows, the rows of
    // U, and A22 -= L21·U12. `strips` has room for (end - begin) · stride numbers, rounded up to
    // whole strips.
    void (*update)(const OwnPanel& panel, double* a, std::size_t lda, std::size_t begin,
                   std::size_t end, double* strips) noexcept;

    // L·U·x = b, where b is already in the order of the factors' rows.
    void (*solve)(const double* a, std::size_t lda, std::size_t n, double* b) noexcept;
};

extern const OwnMethod own_portable;
#if defined(__x86_64__)
extern const OwnMethod own_avx2, own_avx512;
#endif

}  // namespace stend::linpack
