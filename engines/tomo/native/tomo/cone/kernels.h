// The wall between what runs a cone beam's reconstruction and what computes it.
#pragma once

#include <span>
#include <string_view>

#include "isa/isa.h"
#include "tomo/cone/tables.h"

namespace stend::tomo::cone {

// Filtered projections of several angles, [angle][column][row]: voxels above each other project to
// one column of the detector, whose rows are then read one after the other. Zeros lie before the
// first row and after the last one.
struct Filtered {
    float* data;
    std::size_t height;  // floats of a column
    std::size_t first;   // of its row 0

    float* column(std::size_t angle, std::size_t columns, std::size_t column) const {
        return data + (angle * columns + column) * height;
    }
};

inline constexpr std::size_t zeros = 64;  // at each end of a column

// Voxels that are back-projected together: what they need of the projections is then near.
inline constexpr std::size_t tile_columns = 32, tile_rows = 16, tile_slices = 256;

struct Tile {
    std::size_t column, row, slice;     // the first
    std::size_t columns, rows, slices;  // how many
};

struct Kernels {
    std::string_view name;
    isa::Features needs;
    std::size_t rows_together;  // that are filtered at once

    // Filters detector rows `row` … row + rows_together - 1 of an angle; past the last row there
    // are zeros. `rows` has rows_together pointers. `room` is for
    // ramp.scratch_floats(16) floats or two doubles a column, whichever is more.
    void (*filter)(const Tables& tables, std::size_t angle, std::size_t row,
                   const float* const* rows, const Filtered& to, std::size_t to_angle, float* room);

    // Adds angles first … first + count - 1 to the tile; `sums`: [row][column][tile_slices], `line`
    // has room for a column of the detector.
    void (*back_project)(const Tables& tables, const Filtered& from, std::size_t first,
                         std::size_t count, const Tile& tile, float* sums, float* line);
};

// Slowest first.
std::span<const Kernels> variants();

// Of each file.
extern const Kernels reference, portable, avx2, avx512;

}  // namespace stend::tomo::cone
