// Joseph's projector, ray by ray, and its transpose, pixel by pixel; both a piece of the slice at a
// time that stays in the second-level cache. To be included after STEND_FOR, and after kernels.h,
// which is for any processor.
#pragma once

#include "tomo/iterative/kernels.h"
#include "tomo/iterative/vectors.h"

namespace stend::tomo::iterative {

// Pixels of a side of the pieces that rays go through: 98² × 16 lanes × 4 bytes are 600 KiB, with
// one more on each side, zeros, that the rays that end in a piece meet outside of it. Larger ones
// have fewer rays to begin: A took 6 to 10% less than with 64, and AVX-512 with 128 more again.
inline constexpr std::size_t ray_piece = 96;
inline constexpr std::size_t margined = ray_piece + 2;
// And of those that are back-projected, which threads share.
inline constexpr std::size_t sum_piece = 64;

// Part of a slice: `rows` × `columns` pixels from (row, column) on.
struct Piece {
    std::size_t row, column, rows, columns;
};

template <typename L>
class Joseph {
public:
    using Float = typename L::Float;
    static constexpr std::size_t piece_floats = margined * margined * L::count;
    static std::size_t scratch(const Rays&) { return piece_floats; }

    static std::size_t tiles(const Rays& rays) { return pieces(rays.size, sum_piece); }

    static void project(const Rays& rays, const float* slice, float* sinogram, std::size_t first,
                        std::size_t last, float* scratch) {
        const std::size_t row = rays.detectors * L::count;
        for (std::size_t i = first * row; i < last * row; ++i) sinogram[i] = 0;
        for (std::size_t index = 0; index < pieces(rays.size, ray_piece); ++index) {
            const Piece part = piece_of(rays, ray_piece, index);
            copy(rays, slice, part, scratch);
            for (std::size_t a = first; a < last; ++a)
                project(rays, rays.angles[a], part, scratch, sinogram + a * row);
        }
    }

    static void back_project(const Rays& rays, const float* sinogram, float* slice,
                             std::size_t first, std::size_t last, float* scratch) {
        for (std::size_t index = first; index < last; ++index)
            back_project(rays, sinogram, piece_of(rays, sum_piece, index), slice, scratch);
    }

private:
    static std::size_t pieces(std::size_t size, std::size_t piece) {
        const std::size_t across = (size + piece - 1) / piece;
        return across * across;
    }

    static Piece piece_of(const Rays& rays, std::size_t piece, std::size_t index) {
        const std::size_t across = (rays.size + piece - 1) / piece;
        const std::size_t row = index / across * piece, column = index % across * piece;
        const std::size_t down = rays.size - row, right = rays.size - column;
        return {row, column, down < piece ? down : piece, right < piece ? right : piece};
    }

    static void copy(const Rays& rays, const float* slice, const Piece& part, float* to) {
        for (std::size_t i = 0; i < piece_floats; i += L::count) store<L>(to + i, Float{});
        for (std::size_t r = 0; r < part.rows; ++r) {
            const float* from = slice + ((part.row + r) * rays.size + part.column) * L::count;
            float* row = to + ((r + 1) * margined + 1) * L::count;
            for (std::size_t i = 0; i < part.columns * L::count; i += L::count)
                store<L>(row + i, load<L>(from + i));
        }
    }

    // Rays cross the lines m of a piece, rows or columns, and are interpolated along each, by k.
    struct Lines {
        double origin;                   // s at k = 0, m = 0
        double across, along;            // how s grows with k and with m
        std::size_t count;               // lines
        std::size_t length;              // pixels of a line
        std::size_t k_stride, m_stride;  // in the piece with its margin
        double slope = -along / across;  // of k over m, along a ray
        // Divided once for all rays.
        double per_across = 1 / across, per_slope = 1 / slope;
        Fixed step = fixed(slope);
    };

    static Lines lines_of(const Rays::Angle& angle, const Piece& part) {
        const double origin = angle.origin + static_cast<double>(part.column) * angle.along_row +
                              static_cast<double>(part.row) * angle.along_column;
        constexpr std::size_t column = L::count, row = margined * L::count;
        if (angle.steep)
            return {origin, angle.along_row, angle.along_column, part.rows, part.columns, column,
                    row};
        return {origin, angle.along_column, angle.along_row, part.columns, part.rows, row, column};
    }

    static void project(const Rays& rays, const Rays::Angle& angle, const Piece& part,
                        const float* pixels, float* row) {
        const Lines lines = lines_of(angle, part);
        const double width = lines.across * static_cast<double>(lines.length - 1);
        const double height = lines.along * static_cast<double>(lines.count - 1);
        const double half = angle.half_width();
        const double low =
            lines.origin + (width < 0 ? width : 0) + (height < 0 ? height : 0) - half;
        const double high =
            lines.origin + (width > 0 ? width : 0) + (height > 0 ? height : 0) + half;
        const double end = static_cast<double>(rays.detectors) - 1;
        if (high < 0 || low > end) return;
        const auto first = static_cast<std::size_t>(low > 0 ? std::ceil(low) : 0);
        const auto last = static_cast<std::size_t>(high < end ? std::floor(high) : end);
        const auto length = static_cast<float>(rays.pixel * rays.pixel / half);
        for (std::size_t i = first; i <= last; ++i) {
            const Float sum = ray(lines, static_cast<double>(i), pixels);
            store<L>(row + i * L::count, load<L>(row + i * L::count) + sum * length);
        }
    }

    // The sum of the pixels that the ray meets on each line, linearly interpolated.
    STEND_INLINE static Float ray(const Lines& lines, double s, const float* pixels) {
        // With the margin: where it meets line 0, and how that moves from line to line.
        const double begin = (s - lines.origin) * lines.per_across + 1;
        const Fixed step = lines.step;
        const double most = static_cast<double>(lines.length) + 1;
        double enters = 0, leaves = static_cast<double>(lines.count);
        if (step != 0) {
            const double at_zero = -begin * lines.per_slope;
            const double at_most = (most - begin) * lines.per_slope;
            const double from = lines.slope > 0 ? at_zero : at_most;
            const double to = lines.slope > 0 ? at_most : at_zero;
            if (from > enters) enters = from;
            if (to < leaves) leaves = to;
        }
        if (!(enters < leaves)) return Float{};
        auto m = static_cast<std::size_t>(std::ceil(enters));
        auto end = static_cast<std::size_t>(std::ceil(leaves));
        const Fixed origin = fixed(begin), limit = static_cast<Fixed>(lines.length + 1) << 32;
        const auto outside = [&](std::size_t line) {
            const Fixed at = origin + static_cast<Fixed>(line) * step;
            return at < 0 || at >= limit;
        };
        while (m < end && outside(m)) ++m;  // by rounding; it meets next to nothing there
        while (m < end && outside(end - 1)) --end;

        Fixed at = origin + static_cast<Fixed>(m) * step;
        const float* line = pixels + (m + 1) * lines.m_stride;
        Float left[2] = {}, rest[2] = {};  // two of each, for an addition takes a few cycles
        const auto meet = [&](unsigned which) __attribute__((always_inline)) {
            const float* pixel = line + static_cast<std::size_t>(whole(at)) * lines.k_stride;
            const Float here = load<L>(pixel), next = load<L>(pixel + lines.k_stride);
            left[which] += here;
            rest[which] += fraction(at) * (next - here);
            at += step;
            line += lines.m_stride;
        };
        for (; m + 2 <= end; m += 2) {
            meet(0);
            meet(1);
        }
        if (m < end) meet(0);
        return (left[0] + left[1]) + (rest[0] + rest[1]);
    }

    // Angles that are back-projected together onto a tile of 16 × 16 pixels: what they need of the
    // sinogram stays in the first-level cache.
    static constexpr std::size_t together = 16;
    static constexpr std::size_t tile = 16;
    static constexpr unsigned run = 8;  // pixels of a row that are summed in registers

    struct Shadow {
        Fixed origin, along_row, along_column;  // of s over the piece
        float slope, top;                       // of the weights: p² / h², p² / h
        double half;
        const float* row;
    };

    static void back_project(const Rays& rays, const float* sinogram, const Piece& part,
                             float* slice, float* sums) {
        for (std::size_t i = 0; i < part.rows * sum_piece * L::count; i += L::count)
            store<L>(sums + i, Float{});
        for (std::size_t first = 0; first < rays.angles.size(); first += together) {
            Shadow shadows[together];
            std::size_t count = 0;
            for (; count < together && first + count < rays.angles.size(); ++count)
                shadows[count] = shadow(rays, first + count, part, sinogram);
            for (std::size_t r = 0; r < part.rows; r += tile)
                for (std::size_t c = 0; c < part.columns; c += tile)
                    add(rays, shadows, count, part, r, c, sums);
        }
        for (std::size_t r = 0; r < part.rows; ++r) {
            float* to = slice + ((part.row + r) * rays.size + part.column) * L::count;
            for (std::size_t i = 0; i < part.columns * L::count; i += L::count)
                store<L>(to + i, load<L>(sums + r * sum_piece * L::count + i));
        }
    }

    static Shadow shadow(const Rays& rays, std::size_t index, const Piece& part,
                         const float* sinogram) {
        const Rays::Angle& angle = rays.angles[index];
        const double half = angle.half_width(), area = rays.pixel * rays.pixel;
        return {fixed(angle.origin + static_cast<double>(part.column) * angle.along_row +
                      static_cast<double>(part.row) * angle.along_column),
                fixed(angle.along_row),
                fixed(angle.along_column),
                static_cast<float>(area / (half * half)),
                static_cast<float>(area / half),
                half,
                sinogram + index * rays.detectors * L::count};
    }

    // A tile's runs of pixels; pixels past the piece's last column are summed and never read.
    static void add(const Rays& rays, const Shadow* shadows, std::size_t count, const Piece& part,
                    std::size_t row, std::size_t column, float* sums) {
        for (std::size_t r = row; r < row + tile && r < part.rows; ++r)
            for (std::size_t c = column; c < column + tile && c < part.columns; c += run)
                add_run(rays, shadows, count, r, c, sums + (r * sum_piece + c) * L::count);
    }

    static void add_run(const Rays& rays, const Shadow* shadows, std::size_t count, std::size_t r,
                        std::size_t c, float* to) {
        Float sum[run];
#pragma GCC unroll 8
        for (unsigned i = 0; i < run; ++i) sum[i] = load<L>(to + i * L::count);
        const auto pixels = static_cast<Fixed>(rays.detectors);
        for (const Shadow* shadow = shadows; shadow != shadows + count; ++shadow) {
            Fixed s = shadow->origin + static_cast<Fixed>(c) * shadow->along_row +
                      static_cast<Fixed>(r) * shadow->along_column;
            const Fixed end = s + (run - 1) * shadow->along_row;
            const Fixed low = (s < end ? s : end) >> 32, high = (s < end ? end : s) >> 32;
            if (shadow->half <= 1 && low >= 0 && high + 1 < pixels) {
#pragma GCC unroll 8
                for (unsigned i = 0; i < run; ++i, s += shadow->along_row)
                    sum[i] += between_two(*shadow, s);
            } else {
                Float more[run];
                among_all(*shadow, s, pixels, more);
#pragma GCC unroll 8
                for (unsigned i = 0; i < run; ++i) sum[i] += more[i];
            }
        }
#pragma GCC unroll 8
        for (unsigned i = 0; i < run; ++i) store<L>(to + i * L::count, sum[i]);
    }

    // The weight or zero, in all lanes: of one number GCC makes a branch, which in the portable
    // variant took more than all else.
    STEND_INLINE static Float positive(float weight) {
        const Float each = broadcast<L>(weight), zero{};
        return each > zero ? each : zero;
    }

    STEND_INLINE static Float between_two(const Shadow& shadow, Fixed s) {
        const float* at = shadow.row + static_cast<std::ptrdiff_t>(whole(s)) * L::count;
        const float falls = fraction(s) * shadow.slope;
        return positive(shadow.top - falls) * load<L>(at) +
               positive(shadow.top - shadow.slope + falls) * load<L>(at + L::count);
    }

    // A run's shadows, as wide as those of large pixels or over the detector's end. Not inlined, so
    // that sums stay in registers.
    [[gnu::noinline]] static void among_all(const Shadow& shadow, Fixed s, Fixed pixels,
                                            Float* more) {
        const double end = static_cast<double>(pixels) - 1;
        for (unsigned pixel = 0; pixel < run; ++pixel, s += shadow.along_row) {
            const double at = static_cast<double>(s) / fixed_one;
            const double low = std::ceil(at - shadow.half), high = std::floor(at + shadow.half);
            Float sum{};
            for (double i = low > 0 ? low : 0; i <= high && i <= end; ++i) {
                const float weight =
                    shadow.top - shadow.slope * static_cast<float>(std::abs(i - at));
                const float* value = shadow.row + static_cast<std::ptrdiff_t>(i) * L::count;
                sum += (weight > 0 ? weight : 0) * load<L>(value);
            }
            more[pixel] = sum;
        }
    }
};

template <typename L>
constexpr Kernels kernels(std::string_view name, isa::Features needs) {
    return {name,
            needs,
            L::count,
            Joseph<L>::scratch,
            Joseph<L>::project,
            Joseph<L>::tiles,
            Joseph<L>::back_project,
            load_rows<L>,
            unload_rows<L>,
            subtract<L>,
            advance<L>,
            turn<L>,
            hold<L>,
            keep_held<L>,
            squares<L>};
}

}  // namespace stend::tomo::iterative
