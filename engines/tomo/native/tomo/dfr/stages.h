// The stages in SIMD lanes, whatever their width. To be included after a STEND_FOR; only what is a
// template of the lanes may be compiled here, or the linker could choose it for other files, too.
#pragma once

#include "tomo/dfr/halfway.h"
#include "tomo/dfr/tables.h"
#include "tomo/fft/transform.h"

namespace stend::tomo::dfr {

template <typename L, typename Kept = Floats<L>>
class InLanes final : public Stages {
    using Number = Complex<L>;
    using KeptNumber = typename Kept::Number;

public:
    explicit InLanes(const Plan& plan)
        : Stages(plan, L::count, {sizeof(KeptNumber) / sizeof(float), Kept::scales}) {}

    void work(unsigned stage, std::size_t first, std::size_t last, const Batch& batch,
              unsigned member) noexcept override {
        for (std::size_t item = first; item < last; ++item)
            if (stage == 0)
                sample_projections(item, batch, member);
            else if (stage == 1)
                transform_column(item, member);
            else
                transform_rows(item, batch, member);
        L::fence();
    }

private:
    // What is read next, asked for line by line while something else is computed: the processor
    // itself doesn't look as far.
    class Ahead {
    public:
        // From `begin` up to `end` in that many steps.
        Ahead(const void* begin, const void* end, std::size_t steps)
            : at_(static_cast<const char*>(begin)),
              end_(static_cast<const char*>(end)),
              step_((static_cast<std::size_t>(end_ - at_) / steps / line + 1) * line) {}

        STEND_INLINE void step() {
            const char* stop = end_ - at_ > step_ ? at_ + step_ : end_;
            for (; at_ < stop; at_ += line) into_second_cache(at_);
        }

    private:
        static constexpr std::ptrdiff_t line = 64;

        const char *at_, *end_;
        std::ptrdiff_t step_;
    };

    STEND_INLINE static void into_second_cache(const void* from) { __builtin_prefetch(from, 0, 2); }

    STEND_INLINE static void stream(Number* to, Number value) {
        L::stream(&to->re, value.re);
        L::stream(&to->im, value.im);
    }

    Number* numbers(float* from) const { return reinterpret_cast<Number*>(from); }
    KeptNumber* kept() const { return reinterpret_cast<KeptNumber*>(halfway()); }
    Number* numbers(unsigned member, unsigned piece) const {
        return numbers(scratch(member, piece));
    }

    // Two projections are one complex row; an odd one out is paired with itself.
    void sample_projections(std::size_t pair, const Batch& batch, unsigned member) const {
        const std::size_t first = 2 * pair,
                          angles[2] = {first, first + (first + 1 < tables_.angles)};
        Number *row = numbers(member, 0), *spectrum = numbers(member, 1);
        for (unsigned i = 0; i < 2; ++i) read(angles[i], batch, &row->re + i);
        for (const Band* band = tables_.bands.data(); band != end_of_bands(); ++band) {
            if (band->decimation == 1)
                transform_row(*band, row, spectrum, first + 3 < tables_.angles ? first + 2 : first,
                              batch);
            else
                transform_decimated(*band, row, spectrum);
            separate(*band, spectrum, angles);
        }
    }

    const Band* end_of_bands() const { return tables_.bands.data() + tables_.bands.size(); }

    void read(std::size_t angle, const Batch& batch, typename L::Float* to) const {
        const float* rows[L::count];
        const auto from = static_cast<std::ptrdiff_t>(angle) * batch.angle_stride;
        for (unsigned lane = 0; lane < L::count; ++lane)
            rows[lane] = batch.sinogram.data()[lane] + from;
        into_lanes<L>(rows, tables_.detectors, reinterpret_cast<float*>(to), 2 * L::count);
    }

    // Meanwhile two projections from `next` on are asked for.
    void transform_row(const Band& band, const Number* row, Number* spectrum, std::size_t next,
                       const Batch& batch) const {
        const std::size_t detectors = tables_.detectors;
        const float* const* sinogram = batch.sinogram.data();
        const std::ptrdiff_t stride = batch.angle_stride;
        const std::ptrdiff_t after = static_cast<std::ptrdiff_t>(next) * stride;
        const Transform<L, -1> transform(band.fft);
        transform(
            [=](std::size_t i) __attribute__((always_inline)) {
                if (i >= detectors) return Number{};
                // Over as many pixels as a line holds, every lane has its turn.
                const float* pixel = sinogram[i % L::count] + after + i;
                into_second_cache(pixel);
                into_second_cache(pixel + stride);
                return row[i];
            },
            spectrum,
            [=](std::size_t k, Number value)
                __attribute__((always_inline)) { spectrum[k] = value; });
    }

    // Element i is the low-passed row at i × decimation - reach.
    void transform_decimated(const Band& band, const Number* row, Number* spectrum) const {
        const Transform<L, -1> transform(band.fft);
        transform(
            [&](std::size_t i) __attribute__((always_inline)) { return low_passed(band, row, i); },
            spectrum,
            [=](std::size_t k, Number value)
                __attribute__((always_inline)) { spectrum[k] = value; });
    }

    Number low_passed(const Band& band, const Number* row, std::size_t i) const {
        const std::size_t reach = reach_of_decimation(band.decimation);
        const std::size_t end = i * band.decimation + 1;  // after the last pixel under the taps
        const std::size_t begin = end > 2 * reach + 1 ? end - (2 * reach + 1) : 0;
        const float* taps = band.taps.data();
        const std::size_t first = 2 * reach + 1 - end;  // tap, of pixel 0; may wrap around
        Number even{}, odd{};
        std::size_t j = begin;
        const std::size_t stop = end < tables_.detectors ? end : tables_.detectors;
        for (; j + 1 < stop; j += 2) {
            even = plus(even, taps[first + j], row[j]);
            odd = plus(odd, taps[first + j + 1], row[j + 1]);
        }
        if (j < stop) even = plus(even, taps[first + j], row[j]);
        return even + odd;
    }

    // The spectra of two real rows from that of one + i other.
    void separate(const Band& band, const Number* spectrum, const std::size_t* angles) const {
        const std::uint32_t* places[2];
        const dfr::Number* factors[2];
        float signs[2];
        for (unsigned i = 0; i < 2; ++i) {
            places[i] = tables_.gridding.places.data() + angles[i] * tables_.samples + band.offset;
            factors[i] = band.factors.data() + angles[i] * band.count;
            signs[i] = 0.5F * tables_.signs.data()[angles[i]];
        }
        for (std::size_t j = 0; j < band.count; ++j) {
            const std::size_t k = band.first + j;
            const Number x = spectrum[k], y = spectrum[k == 0 ? 0 : band.fft.length - k];
            const Number both[2] = {{x.re + y.re, x.im - y.im}, {x.im + y.im, y.re - x.re}};
            for (unsigned i = 0; i < 2; ++i) {
                const Number value = times(both[i], factors[i][j].re, factors[i][j].im);
                stream(numbers(samples()) + places[i][j], {0.5F * value.re, signs[i] * value.im});
            }
        }
    }

    void transform_column(std::size_t column, unsigned member) const {
        const std::size_t side = tables_.geometry.grid, origin = tables_.geometry.origin;
        const std::size_t size = tables_.size, pitch = 2 * tables_.geometry.columns;
        Number* cells = numbers(member, 0);
        KeptNumber* to = kept() + 2 * column;
        Kept keeping;
        gather(column, cells, keeping);
        keeping.choose(side, scales() + column * Kept::scales);
        const Transform<L, +1> transform(tables_.fft);
        transform(
            [=](std::size_t i) __attribute__((always_inline)) { return cells[i]; },
            numbers(member, 1),
            [=](std::size_t i, Number value) __attribute__((always_inline)) {
                std::size_t row = i + origin;
                row -= row < side ? 0 : side;
                if (row >= size) return;
                keeping.stream(to + row / 2 * pitch + row % 2, value);
            });
    }

    void gather(std::size_t column, Number* cells, Kept& keeping) const {
        const std::size_t pairs = tables_.geometry.grid / 2;
        const Lists &direct = tables_.gridding.direct, &conjugate = tables_.gridding.conjugate;
        const std::uint32_t* begin = direct.begin.data() + column * pairs;
        Ahead entries = entries_after(column), samples = samples_after(column);
        for (std::size_t i = 0; i < pairs; ++i) {
            entries.step();
            samples.step();
            const Pair pair = gathered(direct, begin + i);
            cells[2 * i] = pair.upper;
            cells[2 * i + 1] = pair.lower;
            keeping.see(pair.upper);
            keeping.see(pair.lower);
        }
        begin = conjugate.begin.data() + column * pairs;
        if (begin[0] == begin[pairs]) return;
        for (std::size_t i = 0; i < pairs; ++i) {
            const Pair pair = gathered(conjugate, begin + i);
            add_conjugate(cells[2 * i], pair.upper);
            add_conjugate(cells[2 * i + 1], pair.lower);
            keeping.see(cells[2 * i]);
            keeping.see(cells[2 * i + 1]);
        }
    }

    // Of the next column.
    Ahead entries_after(std::size_t column) const {
        const std::size_t pairs = tables_.geometry.grid / 2;
        const std::size_t next = column + 1 < items(1) ? column + 1 : column;
        const std::uint32_t* begin = tables_.gridding.direct.begin.data() + next * pairs;
        const Entry* entries = tables_.gridding.direct.entries.data();
        return {entries + begin[0], entries + begin[pairs], pairs};
    }

    // Those that the next column is the first to gather.
    Ahead samples_after(std::size_t column) const {
        const std::vector<std::uint32_t>& columns = tables_.gridding.columns;
        const std::size_t last = columns.size() - 2;
        const std::size_t next = column + kernel_width / 2;
        const std::uint32_t* begin = columns.data() + (next < last ? next : last);
        const Number* from = numbers(samples());
        return {from + begin[0], from + begin[1], tables_.geometry.grid / 2};
    }

    struct Pair {
        Number upper, lower;
    };

    STEND_INLINE static void add_conjugate(Number& to, Number more) {
        to = {to.re + more.re, to.im - more.im};
    }

    // The sums over the entries from begin[0] up to begin[1]; every other entry has sums of its
    // own, to hide the latency.
    STEND_INLINE Pair gathered(const Lists& lists, const std::uint32_t* begin) const {
        const Number* from = numbers(samples());
        const Entry *entry = lists.entries.data() + begin[0],
                    *end = lists.entries.data() + begin[1];
        Pair even{}, odd{};
        for (; entry + 1 < end; entry += 2) {
            add(even, entry[0], from);
            add(odd, entry[1], from);
        }
        if (entry < end) add(even, *entry, from);
        return {even.upper + odd.upper, even.lower + odd.lower};
    }

    STEND_INLINE static void add(Pair& sums, const Entry& entry, const Number* from) {
        const Number& sample = from[entry.place];
        sums.upper = plus(sums.upper, entry.upper, sample);
        sums.lower = plus(sums.lower, entry.lower, sample);
    }

    // Two rows of the image, both real, are one + i other of what is Hermitian in the column.
    void transform_rows(std::size_t pair, const Batch& batch, unsigned member) const {
        const std::size_t side = tables_.geometry.grid, origin = tables_.geometry.origin;
        const std::size_t size = tables_.size, columns = tables_.geometry.columns;
        const KeptNumber* from = kept() + pair * 2 * columns;
        const KeptNumber* next = pair + 1 < items(2) ? from + 2 * columns : from;
        const float* scale = scales();
        Number* row = numbers(member, 0);
        fetch_ends(pair, batch);
        const Transform<L, +1> transform(tables_.fft);
        transform(
            [=](std::size_t i) __attribute__((always_inline)) {
                const bool left = i > side / 2;
                const std::size_t column = left ? side - i : i;
                if (column >= columns) return Number{};
                if (!left) prefetch(next + 2 * column);
                const float* own = scale + column * Kept::scales;
                const Number a = Kept::taken(from[2 * column], own),
                             b = Kept::taken(from[2 * column + 1], own);
                if (left) return Number{a.re + b.im, b.re - a.im};
                return Number{a.re - b.im, a.im + b.re};
            },
            numbers(member, 1),
            [=](std::size_t i, Number value) __attribute__((always_inline)) {
                std::size_t x = i + origin;
                x -= x < side ? 0 : side;
                if (x < size) row[x] = value;
            });
        write(2 * pair, &row->re, batch, member);
        if (2 * pair + 1 < size) write(2 * pair + 1, &row->im, batch, member);
    }

    // Two numbers.
    STEND_INLINE static void prefetch(const KeptNumber* from) {
        const char* bytes = reinterpret_cast<const char*>(from);
        for (std::size_t i = 0; i < 2 * sizeof *from; i += 64) into_second_cache(bytes + i);
    }

    // Lines that two rows share with those after them are not streamed: they, and their pages, are
    // asked for before they are written to.
    void fetch_ends(std::size_t pair, const Batch& batch) const {
        for (unsigned lane = 0; lane < batch.count; ++lane)
            for (std::size_t row = 2 * pair; row < 2 * pair + 2 && row < tables_.size; ++row)
                __builtin_prefetch(row_of(batch, lane, row) + tables_.size - 1, 1, 2);
    }

    STEND_INLINE static float* row_of(const Batch& batch, unsigned lane, std::size_t row) {
        return batch.slice.data()[lane] + static_cast<std::ptrdiff_t>(row) * batch.row_stride;
    }

    // Rows are put together in the cache, and streamed.
    void write(std::size_t row, const typename L::Float* from, const Batch& batch,
               unsigned member) const {
        const float* over = tables_.over_apodisation.data();
        float* rows[L::count];
        for (unsigned lane = 0; lane < L::count; ++lane)
            rows[lane] = scratch(member, 1) + lane * row_pitch();
        out_of_lanes<L>(
            reinterpret_cast<const float*>(from), 2 * L::count, tables_.size,
            [ =, scale = over[row] ](std::size_t i)
                __attribute__((always_inline)) { return scale * over[i]; },
            rows, L::count);
        for (unsigned lane = 0; lane < batch.count; ++lane)
            stream_row<L>(row_of(batch, lane, row), rows[lane], tables_.size);
    }
};

}  // namespace stend::tomo::dfr
