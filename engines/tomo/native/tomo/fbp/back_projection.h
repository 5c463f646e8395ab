// Filtered back projection with slices in lanes, for one Arithmetic: pairs of projections are
// filtered, turned into integers where sums are integers, and regions of the slices gathered
// from them. To be included after STEND_FOR, after geometry.h, scales.h, filter.h and
// buffers/buffer.h.
#pragma once

#include "buffers/buffer.h"
#include "tomo/fbp/int16.h"
#include "tomo/fbp/kernel.h"
#include "tomo/filtering.h"

namespace stend::tomo::fbp {

template <typename A>
class BackProjection final : public Engine {
public:
    explicit BackProjection(const Plan& plan)
        : geometry_(plan, A::weight_bits),
          filter_(plan),
          unit_(unit(plan.angles.size())),
          weights_(A::table(unit_)),
          samples_(2 * filter_.pairs() * row_floats()),
          scratch_floats_(one_members_floats()),
          scratch_(plan.threads * scratch_floats_),
          peaks_(A::in_integers ? 2 * filter_.pairs() * lane_count : 0) {}

    unsigned lanes() const override { return lane_count; }
    unsigned stages() const override { return A::in_integers ? 3 : 2; }

    std::size_t items(unsigned stage) const override {
        if (stage == 0) return filter_.pairs();
        return stage + 1 < stages() ? geometry_.angles() : regions_a_side() * regions_a_side();
    }

    void work(unsigned stage, std::size_t first, std::size_t last, const Batch& batch,
              unsigned member) noexcept override {
        float* scratch = scratch_.data() + member * scratch_floats_;
        const unsigned groups = batch.count > L::count ? A::groups : 1;
        if (stage == 0)
            for (std::size_t pair = first; pair < last; ++pair)
                for (unsigned group = 0; group < groups; ++group)
                    filter(pair, group, batch, scratch);
        else if (stage + 1 < stages())
            quantize(first, last, groups);
        else
            for (std::size_t region = first; region < last; ++region)
                back_project(region, batch, scratch);
    }

    std::size_t bytes() const override {
        return geometry_.bytes() + filter_.bytes() + weights_.size() * sizeof(typename A::Weight) +
               samples_.mapped_bytes() + scratch_.mapped_bytes() + peaks_.mapped_bytes();
    }

private:
    using L = typename A::Lanes;
    using Sum = typename A::Sum;
    static constexpr unsigned lane_count = A::groups * L::count;
    static constexpr std::size_t tile_vectors = tile_width * tile_height * A::groups;
    static constexpr std::size_t region_vectors = region_side * region_side * A::groups;

    std::size_t row_floats() const { return geometry_.samples() * lane_count; }
    float* row(std::size_t angle) const {
        return samples_.data() + angle * row_floats() + geometry_.margin() * lane_count;
    }
    std::size_t regions_a_side() const {
        return (geometry_.size() + region_side - 1) / region_side;
    }
    std::size_t one_members_floats() const {
        const std::size_t region = region_vectors * L::count;
        const std::size_t rows = filter_.scratch_floats(L::count);
        return ((region > rows ? region : rows) + 1023) / 1024 * 1024;
    }

    void filter(std::size_t pair, unsigned group, const Batch& batch, float* scratch) {
        float* first = row(2 * pair) + group * L::count;
        float* second = row(2 * pair + 1) + group * L::count;
        Peak peak[2];
        filter_pair<L>(
            filter_, batch, group * L::count, pair, reinterpret_cast<Complex<L>*>(scratch),
            [&](std::size_t i, Complex<L> value) __attribute__((always_inline)) {
                store<L>(first + i * lane_count, value.re);
                store<L>(second + i * lane_count, value.im);
                if constexpr (A::in_integers) {
                    peak[0].take(value.re);
                    peak[1].take(value.im);
                }
            });
        if constexpr (A::in_integers)
            for (unsigned k = 0; k < 2; ++k)
                store<L>(&peaks_.data()[(2 * pair + k) * lane_count + group * L::count],
                         peak[k].magnitude + peak[k].spoiled);
    }

    // The largest magnitude; NaN when a number was not finite.
    struct Peak {
        typename L::Float magnitude{}, spoiled{};
        STEND_INLINE void take(typename L::Float value) {
            magnitude = larger<L>(magnitude, larger<L>(value, -value));
            spoiled += value * 0.0F;
        }
    };

    void scales(float* up, float* down) const {
        choose_scales(peaks_.data(), geometry_.angles(), lane_count, unit_, up, down);
    }

    void quantize(std::size_t first, std::size_t last, unsigned groups) {
        float up[lane_count], down[lane_count];
        scales(up, down);
        for (std::size_t angle = first; angle < last; ++angle)
            for (unsigned group = 0; group < groups; ++group)
                into_pairs<L>(row(angle) + group * L::count, lane_count, geometry_.detectors(),
                              load<L>(up + group * L::count));
    }

    void back_project(std::size_t region, const Batch& batch, float* scratch) {
        const std::size_t row = region / regions_a_side() * region_side;
        const std::size_t column = region % regions_a_side() * region_side;
        auto* sums = reinterpret_cast<Sum*>(scratch);
        for (std::size_t i = 0; i < region_vectors; ++i) sums[i] = Sum{};
        const bool alone = batch.count <= L::count;
        for (std::size_t angle = 0; angle < geometry_.angles(); angle += block)
            each_tile(row, column, [&](std::size_t y, std::size_t x, std::size_t tile) {
                if (alone)
                    gather_block<1, A::width_alone>(angle, y, x, sums + tile * tile_vectors);
                else
                    gather_block<A::groups, A::width>(angle, y, x, sums + tile * tile_vectors);
            });
        float up[lane_count], down[lane_count];
        if constexpr (A::in_integers) scales(up, down);
        each_tile(row, column, [&](std::size_t y, std::size_t x, std::size_t tile) {
            write_tile(y, x, sums + tile * tile_vectors, down, batch);
        });
    }

    // Calls work(row, column, index) for the tiles of a region that are in the slice.
    template <typename Work>
    STEND_INLINE void each_tile(std::size_t row, std::size_t column, const Work& work) const {
        std::size_t tile = 0;
        for (std::size_t y = row; y < row + region_side; y += tile_height)
            for (std::size_t x = column; x < column + region_side; x += tile_width, ++tile)
                if (y < geometry_.size() && x < geometry_.size()) work(y, x, tile);
    }

    template <unsigned groups, unsigned width>
    void gather_block(std::size_t angle, std::size_t row, std::size_t column, Sum* to) const {
        Ray rays[block];
        unsigned count = 0;
        for (std::size_t a = angle; a < angle + block && a < geometry_.angles(); ++a) {
            Rays through;
            if (!geometry_.rays(a, row, column, through)) continue;
            rays[count++] = {samples_.data() + a * row_floats() + through.first_sample * lane_count,
                             through.at, through.across, through.down};
        }
        if (geometry_.outside())
            gather_tile<A, groups, width>(
                Anywhere{static_cast<std::int64_t>(geometry_.detectors()) + 2}, weights_.data(),
                rays, count, to);
        else
            gather_tile<A, groups, width>(Inside{}, weights_.data(), rays, count, to);
    }

    void write_tile(std::size_t row, std::size_t column, Sum* sums, const float* down,
                    const Batch& batch) const {
        const std::size_t size = geometry_.size();
        const std::size_t width = size - column < tile_width ? size - column : tile_width;
        for (std::size_t y = row; y < row + tile_height && y < size;
             ++y, sums += tile_width * A::groups)
            for (unsigned group = 0; group * L::count < batch.count; ++group) {
                float* slices[L::count];
                unsigned count = 0;
                for (unsigned lane = group * L::count; count < L::count && lane < batch.count;
                     ++lane)
                    slices[count++] = batch.slice[lane] +
                                      static_cast<std::ptrdiff_t>(y) * batch.row_stride + column;
                auto* from = reinterpret_cast<float*>(sums + group);
                if constexpr (A::in_integers)
                    for (std::size_t x = 0; x < width; ++x)
                        store<L>(from + x * lane_count,
                                 __builtin_convertvector(sums[x * A::groups + group],
                                                         typename L::Float) *
                                     load<L>(down + group * L::count));
                out_of_lanes<L>(
                    from, lane_count, width, [](std::size_t) { return 1.0F; }, slices, count);
            }
    }

    Geometry geometry_;
    RampFilter filter_;
    std::int32_t unit_;
    std::vector<typename A::Weight> weights_;
    Buffer<float> samples_;  // [angle][sample][lane]
    std::size_t scratch_floats_;
    Buffer<float> scratch_;
    Buffer<float> peaks_;  // [angle][lane]
};

}  // namespace stend::tomo::fbp
