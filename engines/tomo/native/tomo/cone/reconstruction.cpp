// What users call: some angles at a time are filtered, then added to every tile of the volume, on
// threads.
#include <algorithm>
#include <array>
#include <stend/tomo/cone.hpp>

#include "buffers/buffer.h"
#include "isa/variant.h"
#include "tomo/bytes.h"
#include "tomo/checks.h"
#include "tomo/cone/kernels.h"
#include "tomo/share.h"
#include "tomo/views.h"

namespace stend::tomo {

using namespace cone;

namespace {

// Angles filtered at once: the volume is read and written as seldom as memory for them allows.
constexpr std::size_t angles_together = 32;

constexpr std::size_t up_to(std::size_t value, std::size_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

constexpr std::size_t tile_voxels = tile_columns * tile_rows * tile_slices;

}  // namespace

struct ConeReconstruction::State {
    State(const ConeBeam& beam, const VolumeGrid& grid, const ConeMethod& method)
        : tables(cone::tables(beam, grid, method.filter)),
          kernels(chosen(variants(), method.how.variant)),
          threads((check_threads(method.how.threads), method.how.threads)),
          height(tables.padded_rows() + 2 * zeros),
          // a transform's room, the sums of a tile and a line take turns
          lent(
              std::max({tables.ramp.scratch_floats(16), 4 * tables.columns, tile_voxels + height})),
          columns(std::min(angles_together, tables.angles.size()) * tables.columns * height),
          scratch(threads * lent),
          nothing(tables.measured) {}

    Tile tile(std::size_t index) const;
    std::size_t tiles() const;
    void filter(Team& team, const ConeProjections& from, std::size_t first, std::size_t count);
    void back_project(Team& team, std::size_t first, std::size_t count, const Slices& to);
    void add(const Tile& tile, bool begins, const float* sums, const Slices& to) const;

    Filtered filtered() const { return {columns.data(), height, zeros}; }

    Tables tables;
    const Kernels& kernels;
    unsigned threads;
    std::size_t height, lent;
    Buffer<float> columns;  // of filtered projections; what is never written stays zero
    Buffer<float> scratch;  // [thread]
    Buffer<float> nothing;  // a row past the detector's last
};

std::size_t ConeReconstruction::State::tiles() const {
    const VolumeGrid& grid = tables.grid;
    return up_to(grid.size, tile_columns) / tile_columns *
           (up_to(grid.size, tile_rows) / tile_rows) *
           (up_to(grid.slices, tile_slices) / tile_slices);
}

Tile ConeReconstruction::State::tile(std::size_t index) const {
    const VolumeGrid& grid = tables.grid;
    const std::size_t across = up_to(grid.size, tile_columns) / tile_columns;
    const std::size_t down = up_to(grid.size, tile_rows) / tile_rows;
    const std::size_t column = index % across * tile_columns;
    const std::size_t row = index / across % down * tile_rows;
    const std::size_t slice = index / across / down * tile_slices;
    return {column,
            row,
            slice,
            std::min(tile_columns, grid.size - column),
            std::min(tile_rows, grid.size - row),
            std::min(tile_slices, grid.slices - slice)};
}

void ConeReconstruction::State::filter(Team& team, const ConeProjections& from, std::size_t first,
                                       std::size_t count) {
    const std::size_t groups = up_to(tables.rows, kernels.rows_together) / kernels.rows_together;
    share_each(team, count * groups, [&](std::size_t i, unsigned member) {
        const std::size_t angle = first + i / groups, row = i % groups * kernels.rows_together;
        std::array<const float*, most_rows_together> rows{};
        for (std::size_t k = 0; k < kernels.rows_together; ++k)
            rows[k] = row + k < tables.rows
                          ? from.data + static_cast<std::ptrdiff_t>(angle) * from.angle_stride +
                                static_cast<std::ptrdiff_t>(row + k) * from.row_stride
                          : nothing.data();
        kernels.filter(tables, angle, row, rows.data(), filtered(), angle - first,
                       scratch.data() + member * lent);
    });
}

void ConeReconstruction::State::back_project(Team& team, std::size_t first, std::size_t count,
                                             const Slices& to) {
    share_each(team, tiles(), [&](std::size_t i, unsigned member) {
        float* const sums = scratch.data() + member * lent;
        std::fill_n(sums, tile_voxels, 0.0F);
        kernels.back_project(tables, filtered(), first, count, tile(i), sums, sums + tile_voxels);
        add(tile(i), first == 0, sums, to);
    });
}

void ConeReconstruction::State::add(const Tile& tile, bool begins, const float* sums,
                                    const Slices& to) const {
    for (std::size_t k = 0; k < tile.slices; ++k)
        for (std::size_t r = 0; r < tile.rows; ++r) {
            float* row = to.data + static_cast<std::ptrdiff_t>(tile.slice + k) * to.slice_stride +
                         static_cast<std::ptrdiff_t>(tile.row + r) * to.row_stride +
                         static_cast<std::ptrdiff_t>(tile.column);
            const float* from = sums + r * tile_columns * tile_slices + k;
            for (std::size_t c = 0; c < tile.columns; ++c)
                row[c] = (begins ? 0 : row[c]) + from[c * tile_slices];
        }
}

ConeReconstruction::ConeReconstruction(const ConeBeam& beam, const VolumeGrid& grid,
                                       const ConeMethod& method)
    : state_(std::make_unique<State>(beam, grid, method)) {}

ConeReconstruction::ConeReconstruction(ConeReconstruction&&) noexcept = default;
ConeReconstruction& ConeReconstruction::operator=(ConeReconstruction&&) noexcept = default;
ConeReconstruction::~ConeReconstruction() = default;

void ConeReconstruction::run(const ConeProjections& from, const Slices& to,
                             const std::function<void()>& meanwhile) {
    const Tables& tables = state_->tables;
    const VolumeGrid& grid = tables.grid;
    check_read("The projections", {from.data, tables.angles.size(), tables.rows, tables.measured,
                                   from.angle_stride, from.row_stride});
    check_written("The slices",
                  {to.data, grid.slices, grid.size, grid.size, to.slice_stride, to.row_stride});
    Team team(Unbound{}, state_->threads);
    const std::size_t angles = state_->tables.angles.size();
    for (std::size_t first = 0; first < angles; first += angles_together) {
        if (meanwhile) meanwhile();
        const std::size_t count = std::min(angles_together, angles - first);
        state_->filter(team, from, first, count);
        state_->back_project(team, first, count, to);
    }
}

std::string_view ConeReconstruction::variant() const {
    return state_->kernels.name;
}

std::size_t ConeReconstruction::bytes() const {
    const Tables& tables = state_->tables;
    return bytes_of(state_->columns) + bytes_of(state_->scratch) + bytes_of(state_->nothing) +
           bytes_of(tables.angles) + bytes_of(tables.shares) + bytes_of(tables.cosines) +
           tables.ramp.bytes();
}

std::vector<std::string_view> cone_variants() {
    return runnable(variants());
}

}  // namespace stend::tomo
