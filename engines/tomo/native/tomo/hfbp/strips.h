// Which lines of which strips each projection is smeared along, and where it is read for them.
//
// Directions within 45° of the detector's x axis are smeared along lines across strips of rows, the
// others along lines across strips of columns: a line never moves by more than a pixel a row.
// Directions of negative slope are those of positive slope in a strip taken backwards. A
// direction's slope lies between those of two digital lines, which share its weight; both are read
// where the exact lines nearest to them are in the middle of the strip.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "tomo/engine.h"
#include "tomo/hfbp/lines.h"

namespace stend::tomo::hfbp {

// A projection as lines of one orientation see it. At the pixel (across, along), counted from the
// image's middle, it is read at center + gain · (across - slope · along).
struct Direction {
    unsigned angle;
    double gain;   // detector pixels a pixel
    double slope;  // pixels across a pixel along, -1 … 1
};

// `along` is the row, `across` the column; or the other way round.
enum Orientation : unsigned { rows, columns };

std::array<std::vector<Direction>, 2> directions(const Plan& plan);

// What a direction gives to the lines of a shift.
struct Share {
    Direction direction;
    float part;  // of its weight, 0 … 1
};

// The lines of strips of one width, by shift.
std::vector<Fit> fits(unsigned width, const Ladder& ladder);

// Of the directions of one orientation and one sign of the slope: the shares of each of the lines.
std::vector<std::vector<Share>> shares(const std::vector<Direction>& directions, bool backwards,
                                       const std::vector<Fit>& lines);

// Rows of the strips of an image of `size` rows, but of the last two. It grows with the image:
// README.md says why.
unsigned strip_width(std::size_t size);

// Where `size` rows are cut into pieces of `width` rows, the last two of which share evenly what is
// left: the first row of each, and `size`.
std::vector<unsigned> cuts(std::size_t size, unsigned width);

}  // namespace stend::tomo::hfbp
