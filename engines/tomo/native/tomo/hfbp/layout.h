// How an image is cut into strips and tiles, and what projections give to each: the same for any
// width of words.
//
// A tile is a piece of a strip, as long as some strips are wide, so that the lines through it stay
// in the second-level cache. Tiles are numbered across the strips first: those that follow on each
// other read nearly the same pixels of the projections.
#pragma once

#include "tomo/filter.h"
#include "tomo/hfbp/ramp_taps.h"
#include "tomo/hfbp/strips.h"
#include "tomo/hfbp/variants.h"

namespace stend::tomo::hfbp {

struct Tile {
    unsigned strip;  // along
    unsigned first, width;
    unsigned kind;                 // of its width, in Layout::widths
    unsigned first_pixel, pixels;  // across; the first is a block's
};

struct Layout {
    Layout(const Plan& plan, const Ladder& ladder);

    std::size_t bytes() const;

    std::size_t strips() const { return cuts.size() - 1; }
    std::size_t tiles() const;
    Tile tile(std::size_t number) const;

    // Room for a tile's lines and their halves, and for its pixels.
    std::size_t sum_words() const;
    std::size_t tile_words() const;

    // Blocks of block_side × block_side pixels, a column's pixels following on each other.
    std::size_t stowed_words() const { return blocks() * blocks() * block_words; }
    std::size_t stowed(unsigned row, unsigned column) const {
        return (row / block_side * blocks() + column / block_side) * block_words +
               column % block_side * block_side + row % block_side;
    }

    // What projections give to strips of a width.
    struct Width {
        unsigned rows;
        std::vector<Fit> lines;
        // By orientation, whether backwards, and shift; none when there are no such directions.
        std::array<std::array<std::vector<std::vector<Share>>, 2>, 2> shares;
    };
    // Where the first of a tile's lines of a shift reads a projection, and how far apart lines are:
    // in detector pixels, of 2^-32.
    std::int64_t position(const Direction& direction, const Tile& tile, unsigned shift) const;
    std::int64_t step(const Direction& direction) const;

    static constexpr unsigned block_side = 16;
    static constexpr std::size_t block_words = std::size_t{block_side} * block_side;

    std::size_t blocks() const { return (size + block_side - 1) / block_side; }

    Width width(unsigned rows) const;
    std::size_t most_pixels() const;  // of a tile

    Ladder ladder;
    std::size_t detectors, angles, size;
    double center, middle;
    std::vector<unsigned> cuts, tile_cuts;  // along; across
    std::array<std::vector<Direction>, 2> directions;
    std::vector<unsigned> kinds;  // by strip
    std::vector<Width> widths;    // at most three; none is above the first
};

// All that does not depend on the width of words. Made and unmade where any processor's code is
// compiled: a variant's file would leave the program its own copies of what other files use, too.
struct Tables {
    Tables(const Plan& plan, const Ladder& ladder);
    ~Tables();

    std::size_t bytes() const;

    Layout layout;
    RampFilter filter;
    RampTaps taps;
    bool recursive;  // whether the filter asked for is the one that the taps are for
};

}  // namespace stend::tomo::hfbp
