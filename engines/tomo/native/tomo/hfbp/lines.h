// Digital lines of the fast Hough transform (Brady, SIAM J. Comput. 27(1), 1998; Götz and
// Druckmüller, Pattern Recognition 29(4), 1996), for strips of any width.
//
// A strip is `width` rows of an image. Between pixels of a row lie `fine` - 1 more positions, and a
// line is (shift, start): it begins in the strip's first row at the position `start` and has moved
// by `shift` positions, 0 … fine · (width - 1), when it comes to the last one. A strip wider than
// `leaf` is two narrower ones, and so is each of its lines, of shifts of their own; that is what
// lets lines share their halves' sums. In a leaf each row has the position nearest to the line.
#pragma once

namespace stend::tomo::hfbp {

struct Ladder {
    unsigned fine;  // positions a pixel
    unsigned leaf;  // rows

    constexpr unsigned last_shift(unsigned width) const { return fine * (width - 1); }
    constexpr bool divided(unsigned width) const { return width > leaf; }
};

// number · of / by, to the nearest; halves up. by > 0.
constexpr unsigned nearest(unsigned number, unsigned of, unsigned by) {
    return (2 * number * of + by) / (2 * by);
}

// The positions that a leaf's line has moved by in one of its rows.
constexpr unsigned moved(unsigned width, unsigned shift, unsigned row) {
    return width == 1 ? 0 : nearest(shift, row, width - 1);
}

// A half of a strip, and what a line of the strip is in it.
struct Half {
    unsigned whole;  // rows of the strip
    unsigned first;  // the half's first row
    unsigned width;  // its rows

    constexpr unsigned shift(unsigned whole_shift) const {
        return width == 1 ? 0 : nearest(whole_shift, width - 1, whole - 1);
    }
    // By how many positions the half's line begins after the whole one, so that both are at the
    // same position, to the nearest, in the half's middle.
    constexpr unsigned start(unsigned whole_shift) const {
        const unsigned by = whole - 1;
        const unsigned middle = whole_shift * (2 * first + width - 1),
                       own = shift(whole_shift) * by;
        return middle < own ? 0 : (middle - own + by) / (2 * by);
    }
};

constexpr Half upper(unsigned width) {
    return {width, 0, width / 2};
}
constexpr Half lower(unsigned width) {
    return {width, width / 2, width - width / 2};
}

// The positions that a strip's line has moved by in one of its rows.
constexpr unsigned moved_in(const Ladder& ladder, unsigned width, unsigned shift, unsigned row) {
    if (!ladder.divided(width)) return moved(width, shift, row);
    const Half half = row < width / 2 ? upper(width) : lower(width);
    return half.start(shift) + moved_in(ladder, half.width, half.shift(shift), row - half.first);
}

// The exact line that is nearest to a digital one in its rows: by least squares.
struct Fit {
    double middle;  // pixels that it has moved by in the middle of the strip
    double slope;   // pixels a row
};

constexpr Fit fit(const Ladder& ladder, unsigned width, unsigned shift) {
    double sum = 0, product = 0, squares = 0;
    for (unsigned row = 0; row < width; ++row) {
        const double from_middle = row - (width - 1) / 2.0;
        const double pixels =
            static_cast<double>(moved_in(ladder, width, shift, row)) / ladder.fine;
        sum += pixels;
        product += from_middle * pixels;
        squares += from_middle * from_middle;
    }
    return {sum / width, width == 1 ? 0 : product / squares};
}

}  // namespace stend::tomo::hfbp
