// The method as its paper has it, in double precision: rows convolved with the ramp's kernel by its
// defining sum, and a bilinear value of each angle for each voxel. What every variant is compared
// with.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "tomo/cone/kernels.h"

namespace stend::tomo::cone {
namespace {

// The filter's impulse response at a distance, from its spectrum.
double response(const RampFilter& ramp, std::size_t distance) {
    const std::size_t length = ramp.response.size();
    double sum = 0;
    for (std::size_t k = 0; k < length; ++k)
        sum += static_cast<double>(ramp.response[k]) *
               std::cos(2 * std::numbers::pi * static_cast<double>(k * distance % length) /
                        static_cast<double>(length));
    return sum;
}

void filter(const Tables& tables, std::size_t angle, std::size_t row, const float* const* rows,
            const Filtered& to, std::size_t to_angle, float* room) {
    const std::size_t columns = tables.columns;
    auto* const kernel = reinterpret_cast<double*>(room);
    double* const weighted = kernel + columns;
    for (std::size_t i = 0; i < columns; ++i) kernel[i] = response(tables.ramp, i);
    std::fill_n(weighted, columns, 0.0);
    for (std::size_t i = 0; i < tables.measured; ++i)
        weighted[tables.before + i] =
            static_cast<double>(tables.cosines[i * tables.padded_rows() + row]) *
            static_cast<double>(tables.shares[angle * tables.measured + i]) *
            static_cast<double>(rows[0][i]);
    for (std::size_t i = 0; i < columns; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < columns; ++j)
            sum += kernel[i > j ? i - j : j - i] * weighted[j];
        to.column(to_angle, columns, i)[to.first + row] = static_cast<float>(sum);
    }
}

// Bilinear between pixels, all of them zero beyond the detector.
double at(const Tables& tables, const Filtered& from, std::size_t angle, double u, double v) {
    const double left = std::floor(u), low = std::floor(v);
    const auto pixel = [&](double column, double row) {
        if (column < 0 || column >= static_cast<double>(tables.columns)) return 0.0;
        if (row < 0 || row >= static_cast<double>(tables.rows)) return 0.0;
        const float* rows = from.column(angle, tables.columns, static_cast<std::size_t>(column));
        return static_cast<double>(rows[from.first + static_cast<std::size_t>(row)]);
    };
    const auto along = [&](double column) {
        const double value = pixel(column, low);
        return value + (v - low) * (pixel(column, low + 1) - value);
    };
    const double here = along(left);
    return here + (u - left) * (along(left + 1) - here);
}

void back_project(const Tables& tables, const Filtered& from, std::size_t first, std::size_t count,
                  const Tile& tile, float* sums, float* /*line*/) {
    const VolumeGrid& grid = tables.grid;
    const double middle = (static_cast<double>(grid.size) - 1) / 2;
    const double middle_slice = (static_cast<double>(grid.slices) - 1) / 2;
    for (std::size_t r = 0; r < tile.rows; ++r)
        for (std::size_t c = 0; c < tile.columns; ++c)
            for (std::size_t k = 0; k < tile.slices; ++k) {
                const double x = (static_cast<double>(tile.column + c) - middle) * grid.voxel;
                const double y = (middle - static_cast<double>(tile.row + r)) * grid.voxel;
                const double z =
                    (static_cast<double>(tile.slice + k) - middle_slice) * grid.voxel + grid.middle;
                double sum = 0;
                for (std::size_t a = 0; a < count; ++a) {
                    const auto [cosine, sine] = tables.angles[first + a];
                    const double depth = tables.source_to_axis + x * sine - y * cosine;
                    const double near = tables.source_to_axis / depth;
                    const double scale = tables.magnified / depth;
                    sum +=
                        near * near *
                        at(tables, from, a, tables.center_column + scale * (x * cosine + y * sine),
                           tables.center_row + scale * z);
                }
                sums[(r * tile_columns + c) * tile_slices + k] += static_cast<float>(sum);
            }
}

}  // namespace

constinit const Kernels reference = {"reference", {}, 1, filter, back_project};

}  // namespace stend::tomo::cone
