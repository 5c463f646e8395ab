// Filtered back projection by the fast Hough transform in words of a given width. To be included
// after STEND_FOR, and after tomo/hfbp/layout.h.
//
// Stages: projections filtered and rounded to 16 bits, each row to its own largest value; what a
// row's unit is worth beside the others'; the lines across strips of columns, a tile of some blocks
// of pixels at a time, stowed; those across strips of rows, added to what was stowed and written.
#pragma once

#include <algorithm>

#include "tomo/filtering.h"
#include "tomo/hfbp/layout.h"
#include "tomo/hfbp/recursive_ramp.h"
#include "tomo/hfbp/smear.h"
#include "tomo/hfbp/sums.h"
#include "tomo/hfbp/units.h"

namespace stend::tomo::hfbp {

template <typename W>
class StripsEngine final : public Engine {
    using L = typename W::Lanes;
    using Word = typename W::Word;
    using Float = typename L::Float;

public:
    StripsEngine(const Plan& plan, const Ladder& ladder)
        : tables_(plan, ladder),
          fractions_(fractions),
          filtered_(2 * filter_.pairs() * row_words()),
          peaks_(2 * filter_.pairs()),
          units_(layout_.widths.size() * layout_.angles),
          worth_(1),
          scales_(layout_.widths.size()),
          bounds_(3 * layout_.widths[0].lines.size() + 32),
          stowed_(layout_.stowed_words()),
          scratch_(plan.threads) {
        fill_fractions<W>(fractions_.data());
        for (Scratch& scratch : scratch_) {
            scratch.filter = Buffer<Complex<L>>(
                std::max(filter_.scratch_vectors(), 2 * layout_.detectors + 2 * RampTaps::reach));
            scratch.row = Buffer<Floats<W>>(2 * layout_.detectors);
            scratch.sums = Buffer<Word>(layout_.sum_words());
            scratch.tile = Buffer<Word>(layout_.tile_words());
        }
    }

    unsigned lanes() const override { return W::count; }
    unsigned stages() const override { return 4; }
    std::size_t items(unsigned stage) const override {
        return stage == 0 ? filter_.pairs() : stage == 1 ? 1 : layout_.tiles();
    }

    void work(unsigned stage, std::size_t first, std::size_t last, const Batch& batch,
              unsigned member) noexcept override {
        Scratch& scratch = scratch_[member];
        for (std::size_t item = first; item < last; ++item) switch (stage) {
                case 0:
                    filter(item, batch, scratch);
                    break;
                case 1:
                    weigh();
                    break;
                case 2:
                    back_project(columns, layout_.tile(item), scratch);
                    stow(layout_.tile(item), scratch.tile.data());
                    break;
                default:
                    back_project(rows, layout_.tile(item), scratch);
                    write(layout_.tile(item), scratch.tile.data(), batch);
            }
    }

    std::size_t bytes() const override {
        std::size_t all = tables_.bytes() + fractions_.mapped_bytes() + filtered_.mapped_bytes() +
                          peaks_.mapped_bytes() + units_.mapped_bytes() + worth_.mapped_bytes() +
                          scales_.mapped_bytes() + bounds_.mapped_bytes() + stowed_.mapped_bytes();
        for (const Scratch& scratch : scratch_)
            all += scratch.filter.mapped_bytes() + scratch.row.mapped_bytes() +
                   scratch.sums.mapped_bytes() + scratch.tile.mapped_bytes();
        return all;
    }

private:
    struct Scratch {
        Buffer<Complex<L>> filter;
        Buffer<Floats<W>> row;
        Buffer<Word> sums, tile;
    };

    // One pixel more, a zero: interpolation on the last one reads it.
    std::size_t row_words() const { return layout_.detectors + 1; }
    Word* row(std::size_t angle) const { return filtered_.data() + angle * row_words(); }

    void filter(std::size_t pair, const Batch& batch, Scratch& scratch) {
        Floats<W>*first = scratch.row.data(), *second = first + layout_.detectors;
        for (unsigned half = 0; half < 2; ++half) {
            const auto keep = [&](std::size_t i, Complex<L> q) __attribute__((always_inline)) {
                (half == 0 ? first[i].low : first[i].high) = q.re;
                (half == 0 ? second[i].low : second[i].high) = q.im;
            };
            if (tables_.recursive)
                filter_by_recursion(half * L::count, pair, batch, scratch.filter.data(), keep);
            else
                filter_pair<L>(filter_, batch, half * L::count, pair, scratch.filter.data(), keep);
        }
        round_row(first, 2 * pair);
        round_row(second, 2 * pair + 1);
    }

    template <typename Keep>
    void filter_by_recursion(unsigned first_lane, std::size_t pair, const Batch& batch,
                             Complex<L>* scratch, const Keep& keep) {
        const std::size_t pixels = layout_.detectors;
        std::fill_n(scratch, RampTaps::reach, Complex<L>{});
        Complex<L>*const both = scratch + RampTaps::reach, *const end = both + pixels;
        std::fill_n(end, RampTaps::reach, Complex<L>{});
        Complex<L>* const ramped = end + RampTaps::reach;
        pair_into_lanes<L>(filter_, batch, first_lane, pair, both);
        ramp_by_recursion<L>(tables_.taps, both, pixels, ramped);
        const float first = filter_.weights[2 * pair], second = filter_.weights[2 * pair + 1];
        for (std::size_t i = 0; i < pixels; ++i)
            keep(i, Complex<L>{ramped[i].re * first, ramped[i].im * second});
    }

    // What isn't a number has spread over its row, by the ramp's kernel to odd distances: the first
    // two pixels tell.
    void round_row(const Floats<W>* values, std::size_t angle) {
        const Floats<W>& next = values[layout_.detectors > 1 ? 1 : 0];
        Floats<W> peak{(values[0].low + next.low) * 0, (values[0].high + next.high) * 0};
        for (std::size_t i = 0; i < layout_.detectors; ++i) {
            peak.low = larger<W>(peak.low, magnitude(values[i].low));
            peak.high = larger<W>(peak.high, magnitude(values[i].high));
        }
        peaks_.data()[angle] = peak;
        const Float low = largest_in_row / larger<W>(peak.low, smallest<W>()),
                    high = largest_in_row / larger<W>(peak.high, smallest<W>());
        for (std::size_t i = 0; i < layout_.detectors; ++i)
            store_rounded<W>(row(angle) + i, {values[i].low * low, values[i].high * high});
    }

    static Float magnitude(Float x) { return x < 0 ? -x : x; }

    void weigh() {
        const Floats<W>* const peaks = peaks_.data();
        Float* const scratch = bounds_.data();
        const Units<W> low = units<W>(
                           layout_, [&](unsigned angle) { return peaks[angle].low; }, scratch),
                       high = units<W>(
                           layout_, [&](unsigned angle) { return peaks[angle].high; }, scratch);
        *worth_.data() = {low.pixel, high.pixel};
        for (std::size_t kind = 0; kind < layout_.widths.size(); ++kind) {
            store_rounded<W>(scales_.data() + kind, {low.scale[kind], high.scale[kind]});
            Floats<W>* const units = units_.data() + kind * layout_.angles;
            for (std::size_t angle = 0; angle < layout_.angles; ++angle)
                units[angle] = {peaks[angle].low / (largest_in_row * low.line[kind]) * W::one,
                                peaks[angle].high / (largest_in_row * high.line[kind]) * W::one};
        }
    }

    void back_project(Orientation orientation, const Tile& tile, Scratch& scratch) {
        bool add = false;
        for (const bool backwards : {false, true}) {
            const auto& of_shift = layout_.widths[tile.kind].shares[orientation][backwards ? 1 : 0];
            if (of_shift.empty()) continue;
            smear_all(of_shift, tile, scratch.sums.data());
            const auto pixels = static_cast<std::ptrdiff_t>(tile.pixels);
            const std::ptrdiff_t last = (tile.width - 1) * pixels;
            const Rows<Word> to{scratch.tile.data() + (backwards ? last : 0),
                                backwards ? -pixels : pixels, tile.pixels, add};
            spread<W>(layout_.ladder, scratch.sums.data(), tile.width, to,
                      scratch.sums.data() + lines(layout_.ladder, tile.width, tile.pixels),
                      scales_.data() + tile.kind);
            add = true;
        }
        if (!add) std::fill_n(scratch.tile.data(), std::size_t{tile.width} * tile.pixels, Word{});
    }

    void smear_all(const std::vector<std::vector<Share>>& of_shift, const Tile& tile, Word* to) {
        const std::size_t length = starts(layout_.ladder, tile.width, tile.pixels);
        for (unsigned shift = 0; shift < of_shift.size(); ++shift, to += length) {
            std::fill_n(to, length, Word{});
            Ray<W> whole[at_once];
            unsigned waiting = 0;
            for (const Share& share : of_shift[shift]) {
                Ray<W>& ray = whole[waiting];
                ray = this->ray(share, tile, shift);
                const Reach lines = reach(ray.position, ray.step, layout_.detectors, length);
                if (lines.last - lines.first < length)
                    smear<1>(&ray, lines.first, lines.last, fractions_.data(), to);
                else if (++waiting == at_once) {
                    smear<at_once>(whole, 0, length, fractions_.data(), to);
                    waiting = 0;
                }
            }
            for (unsigned i = 0; i < waiting; ++i)
                smear<1>(whole + i, 0, length, fractions_.data(), to);
        }
    }

    Ray<W> ray(const Share& share, const Tile& tile, unsigned shift) const {
        const Direction& direction = share.direction;
        Ray<W> ray{row(direction.angle),
                   layout_.position(direction, tile, shift),
                   layout_.step(direction),
                   {}};
        const Floats<W>& unit = units_.data()[tile.kind * layout_.angles + direction.angle];
        store_rounded<W>(&ray.factor, {larger<W>(unit.low * share.part, Float{}),
                                       larger<W>(unit.high * share.part, Float{})});
        return ray;
    }

    // Calls work(first, count) for a tile's pixels, a block's at a time.
    template <typename Work>
    static void each_block(const Tile& tile, const Work& work) {
        for (unsigned first = 0; first < tile.pixels; first += Layout::block_side)
            work(first, std::min(tile.pixels - first, Layout::block_side));
    }

    void stow(const Tile& tile, const Word* from) {
        for (unsigned line = 0; line < tile.width; ++line, from += tile.pixels)
            each_block(tile, [&](unsigned first, unsigned count) {
                std::copy_n(
                    from + first, count,
                    stowed_.data() + layout_.stowed(tile.first_pixel + first, tile.first + line));
            });
    }

    void write(const Tile& tile, const Word* from, const Batch& batch) {
        for (unsigned line = 0; line < tile.width; ++line, from += tile.pixels) {
            const unsigned row = tile.first + line;
            float* slices[most_lanes];
            for (unsigned lane = 0; lane < batch.count; ++lane)
                slices[lane] = batch.slice[lane] +
                               static_cast<std::ptrdiff_t>(row) * batch.row_stride +
                               tile.first_pixel;
            each_block(tile, [&](unsigned first, unsigned count) {
                write_pixels(from + first,
                             stowed_.data() + layout_.stowed(row, tile.first_pixel + first), first,
                             count, slices, batch.count);
            });
        }
    }

    // At most a block's pixels of a row of the image.
    void write_pixels(const Word* from, const Word* other, unsigned first, unsigned pixels,
                      float* const* slices, unsigned count) {
        const Floats<W> worth = *worth_.data();
        Float sums[2][Layout::block_side];
        for (unsigned i = 0; i < pixels; ++i) {
            const Floats<W> a = floats<W>(from + i),
                            b = floats<W>(other + std::size_t{i} * Layout::block_side);
            sums[0][i] = (a.low + b.low) * worth.low;
            sums[1][i] = (a.high + b.high) * worth.high;
        }
        for (unsigned half = 0; half < 2 && half * L::count < count; ++half) {
            float* to[L::count];
            const unsigned slices_of = std::min(count - half * L::count, L::count);
            for (unsigned lane = 0; lane < slices_of; ++lane)
                to[lane] = slices[half * L::count + lane] + first;
            out_of_lanes<L>(
                reinterpret_cast<const float*>(sums[half]), L::count, pixels,
                [](std::size_t) { return 1.0F; }, to, slices_of);
        }
    }

    static constexpr unsigned at_once = 2;

    Tables tables_;
    const Layout& layout_ = tables_.layout;
    const RampFilter& filter_ = tables_.filter;
    Buffer<Word> fractions_;
    Buffer<Word> filtered_;    // [angle][pixel]
    Buffer<Floats<W>> peaks_;  // [angle]: the largest magnitude, times the angle's weight
    Buffer<Floats<W>> units_;  // [kind of width][angle]: what the row's word is of the lines'
    Buffer<Floats<W>> worth_;  // one: of a pixel's word
    Buffer<Word> scales_;      // [kind of width]: turn words of lines into words of pixels
    Buffer<Float> bounds_;     // what units() needs
    Buffer<Word> stowed_;      // what lines across strips of columns gave, in blocks
    std::vector<Scratch> scratch_;
};

}  // namespace stend::tomo::hfbp
