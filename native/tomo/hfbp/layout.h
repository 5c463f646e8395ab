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
    unsigned first_strip, last_strip;  // across
    unsigned first_pixel, pixels;
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

    // Blocks of strip_width × strip_width pixels: one for each crossing of a strip of rows and one
    // of columns, columns' pixels following on each other.
    std::size_t stowed_words() const { return strips() * strips() * block_words; }
    std::size_t block(unsigned row_strip, unsigned column_strip) const {
        return (row_strip * strips() + column_strip) * block_words;
    }

    // By shift; none when there are no such directions.
    const std::vector<std::vector<Share>>& shares_of(Orientation orientation, bool backwards,
                                                     unsigned width) const {
        return shares[orientation][backwards ? 1 : 0][widest - width];
    }

    // Where the first of a tile's lines of a shift reads a projection, and how far apart lines are:
    // in detector pixels, of 2^-32.
    std::int64_t position(const Direction& direction, const Tile& tile, unsigned shift) const;
    std::int64_t step(const Direction& direction) const;

    static constexpr std::size_t block_words = std::size_t{strip_width} * strip_width;

    Ladder ladder;
    std::size_t detectors, angles;
    double center, middle;
    std::vector<unsigned> cuts;
    unsigned widest;  // strip; there are others that are narrower by one
    std::array<std::vector<Direction>, 2> directions;
    std::array<std::array<std::array<std::vector<std::vector<Share>>, 2>, 2>, 2> shares;
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
