// Voxels above each other share a detector column and a weight, and the detector row grows evenly
// along them: the two neighbouring columns are mixed once, then sixteen voxels at a time find
// their rows in the mixture. To be included after STEND_FOR, and after kernels.h, which is for any
// processor.
//
// L is a Lanes with two things more:
//     static constexpr double most_step;   // rows from voxel to voxel that pick() takes
//     static Float pick(const float* from, Int index);  // from[index], each below 2 · count
#pragma once

#include "tomo/cone/kernels.h"
#include "tomo/filtering.h"
#include "tomo/lanes/lanes.h"

namespace stend::tomo::cone {

template <typename L>
class Columns {
public:
    using Float = typename L::Float;
    using Int = typename L::Int;
    static constexpr std::size_t lanes = L::count;

    // Two vectors of rows are the real and the imaginary part of one.
    static void filter(const Tables& tables, std::size_t angle, std::size_t row,
                       const float* const* rows, const Filtered& to, std::size_t to_angle,
                       float* room) {
        auto* both = reinterpret_cast<Complex<L>*>(room);
        for (std::size_t i = 0; i < tables.columns; ++i) both[i] = Complex<L>{};
        float* measured = room + tables.before * 2 * lanes;
        into_lanes<L>(rows, tables.measured, measured, 2 * lanes);
        into_lanes<L>(rows + lanes, tables.measured, measured + lanes, 2 * lanes);
        const float* shares = &tables.shares[angle * tables.measured];
        float* column = to.column(to_angle, tables.columns, 0) + to.first + row;
        weigh(tables, row, shares, both + tables.before);
        filter_rows<L>(
            tables.ramp,
            both, [=](std::size_t i) __attribute__((always_inline)) { return both[i]; },
            [=](std::size_t i, Complex<L> value) __attribute__((always_inline)) {
                store<L>(column + i * to.height, value.re);
                store<L>(column + i * to.height + lanes, value.im);
            });
    }

    static void back_project(const Tables& tables, const Filtered& from, std::size_t first,
                             std::size_t count, const Tile& tile, float* sums, float* line) {
        for (std::size_t r = 0; r < tile.rows; ++r)
            for (std::size_t c = 0; c < tile.columns; ++c) {
                float* column = sums + (r * tile_columns + c) * tile_slices;
                for (std::size_t a = 0; a < count; ++a)
                    add(tables, from, first + a, a, tile, r, c, column, line);
            }
    }

private:
    static void weigh(const Tables& tables, std::size_t row, const float* shares,
                      Complex<L>* both) {
        for (std::size_t i = 0; i < tables.measured; ++i) {
            const float* cosines = &tables.cosines[i * tables.padded_rows() + row];
            both[i].re *= load<L>(cosines) * shares[i];
            both[i].im *= load<L>(cosines + lanes) * shares[i];
        }
    }

    static void add(const Tables& tables, const Filtered& from, std::size_t angle,
                    std::size_t block, const Tile& tile, std::size_t r, std::size_t c, float* sums,
                    float* line) {
        const VolumeGrid& grid = tables.grid;
        const double middle = (static_cast<double>(grid.size) - 1) / 2;
        const double x = (static_cast<double>(tile.column + c) - middle) * grid.voxel;
        const double y = (middle - static_cast<double>(tile.row + r)) * grid.voxel;
        const auto [cosine, sine] = tables.angles[angle];
        const double depth = tables.source_to_axis + x * sine - y * cosine;
        const double scale = tables.magnified / depth;
        // Column i is number i + 1 between two of zeros, as rows are below; nothing is read of
        // those.
        const double u = tables.center_column + 1 + scale * (x * cosine + y * sine);
        if (!(u > 0 && u < static_cast<double>(tables.columns) + 1)) return;
        const auto number = static_cast<std::size_t>(u);
        const std::size_t left = number > 0 ? number - 1 : 0;
        const std::size_t right = number < tables.columns ? number : left;

        const double near = tables.source_to_axis / depth;
        const double fraction = u - static_cast<double>(number);
        const Mixture mixture{
            from.column(block, tables.columns, left) + from.first - 1,
            from.column(block, tables.columns, right) + from.first - 1,
            static_cast<float>(number > 0 ? near * near * (1 - fraction) : 0),
            static_cast<float>(number < tables.columns ? near * near * fraction : 0)};
        const double step = scale * grid.voxel;
        if (step > most_float_step) return far_apart(tables, tile, scale, mixture, sums);

        const double lowest = grid.middle - (static_cast<double>(grid.slices) - 1) / 2 * grid.voxel;
        const double begin =
            tables.center_row + 1 + scale * lowest + static_cast<double>(tile.slice) * step;
        const double end = static_cast<double>(tables.rows) + 1;
        const double from_voxel = -begin / step, to_voxel = (end - begin) / step;
        const auto voxels = static_cast<double>(tile.slices);
        if (!(to_voxel > 0 && from_voxel < voxels)) return;
        std::size_t first = from_voxel > 0 ? static_cast<std::size_t>(from_voxel) : 0;
        first -= first % lanes;
        const std::size_t last =
            to_voxel < voxels ? static_cast<std::size_t>(to_voxel) + 1 : tile.slices;
        mix(mixture, index_at(begin + static_cast<double>(first) * step, end),
            index_at(begin + static_cast<double>(last + lanes) * step, end) + 2, line);
        const Ramp ramp{static_cast<float>(begin), static_cast<float>(step),
                        static_cast<float>(end)};
        if (step <= L::most_step)
            along(ramp, first, last, line, sums, Together{});
        else
            along(ramp, first, last, line, sums, one_by_one);
    }

    // Rows from voxel to voxel; a tile's voxels are then some ten thousand rows long, which floats
    // tell to a thousandth.
    static constexpr double most_float_step = 100;

    // Of two columns; row r is number r + 1, between two zeros.
    struct Mixture {
        const float *left, *right;
        float of_left, of_right;

        float at(std::size_t row) const { return left[row] * of_left + right[row] * of_right; }
    };

    // Each voxel's row from its own height: where they lie far apart, the sum of steps would lose
    // it, in single precision soon and in double at last.
    static void far_apart(const Tables& tables, const Tile& tile, double scale,
                          const Mixture& mixture, float* sums) {
        const VolumeGrid& grid = tables.grid;
        const double middle = (static_cast<double>(grid.slices) - 1) / 2;
        const double end = static_cast<double>(tables.rows) + 1;
        const auto height = [&](std::size_t k) {
            return (static_cast<double>(tile.slice + k) - middle) * grid.voxel + grid.middle;
        };
        const auto voxel_at = [&](double row) {
            return ((row - tables.center_row) / scale - height(0)) / grid.voxel;
        };
        // Rounded, and so a voxel more on either side.
        const auto voxels = static_cast<double>(tile.slices);
        const std::size_t first = index_at(voxel_at(-1) - 1, voxels);
        const std::size_t last = index_at(voxel_at(end) + 2, voxels);
        for (std::size_t k = first; k < last; ++k) {
            const double z = height(k);
            const double at = tables.center_row + 1 + scale * z;
            if (!(at > 0 && at < end)) continue;
            const auto row = static_cast<std::size_t>(at);
            const auto fraction = static_cast<float>(at - static_cast<double>(row));
            const float here = mixture.at(row);
            sums[k] += here + fraction * (mixture.at(row + 1) - here);
        }
    }

    static std::size_t index_at(double at, double end) {
        return static_cast<std::size_t>(at < 0 ? 0 : at > end ? end : at);
    }

    // `line` from row `first` to row `last`.
    STEND_INLINE static void mix(const Mixture& of, std::size_t first, std::size_t last,
                                 float* line) {
        for (std::size_t i = first; i <= last; i += lanes)
            store<L>(line + i,
                     load<L>(of.left + i) * of.of_left + load<L>(of.right + i) * of.of_right);
    }

    struct Ramp {
        float begin, step, end;
    };

    template <typename Pick>
    STEND_INLINE static void along(const Ramp& ramp, std::size_t first, std::size_t last,
                                   const float* line, float* sums, const Pick& pick) {
        Float lane;
        for (unsigned k = 0; k < lanes; ++k) lane[k] = static_cast<float>(k);
        const Float steps = lane * ramp.step, zero{}, end = broadcast<L>(ramp.end);
        for (std::size_t k = first; k < last; k += lanes) {
            Float at = steps + (ramp.begin + ramp.step * static_cast<float>(k));
            at = at < zero ? zero : at;
            at = at > end ? end : at;
            const Int row = __builtin_convertvector(at, Int);
            const Float fraction = at - __builtin_convertvector(row, Float);
            const int base = row[0];
            const Float here = pick(line + base, row - base);
            const Float next = pick(line + base + 1, row - base);
            store<L>(sums + k, load<L>(sums + k) + (here + fraction * (next - here)));
        }
    }

    // A struct and not a lambda, which in GCC would lack the template's instructions.
    struct Together {
        STEND_INLINE Float operator()(const float* at, Int index) const {
            return L::pick(at, index);
        }
    };

    static Float one_by_one(const float* at, Int index) {
        Float values;
        for (unsigned k = 0; k < lanes; ++k) values[k] = at[index[k]];
        return values;
    }
};

template <typename L>
constexpr Kernels kernels(std::string_view name, isa::Features needs) {
    return {name, needs, 2 * L::count, Columns<L>::filter, Columns<L>::back_project};
}

}  // namespace stend::tomo::cone
