// What project() and draw() have in common: a phantom in detector pixels, and its cuts by rows.
#pragma once

#include <cstddef>
#include <span>
#include <stend/tomo/phantom.hpp>
#include <utility>
#include <vector>

#include "tomo/phantom/solids.h"

namespace stend::tomo::ellipsoids {

// Places and weights, the sum of which is 1, that stand for a length of 1.
using Places = std::vector<std::pair<double, double>>;
Places gauss_places();  // Gauss and Legendre's four
Places even_places(unsigned count);

struct Direction {
    double cosine, sine;
};

// Throws std::invalid_argument, with a sentence, for none and for what is no number.
std::vector<Direction> directions(std::span<const double> angles);

// An item of work is this many angles of one row: cutting the ellipsoids is little beside it, and a
// single row still has work for several threads.
inline constexpr std::size_t angles_an_item = 16;

class Rows {
public:
    // Throws std::invalid_argument, with a sentence, for rows that there aren't and a unit that is
    // no length.
    Rows(std::span<const Ellipsoid> phantom, const PhantomView& view, double unit, Places planes,
         std::size_t first, std::size_t last);

    const std::vector<Solid>& all() const { return solids_; }
    double height(std::size_t row) const { return middle_ - static_cast<double>(row); }

    // Ellipses in a row, those of all its planes. `to` needs no more memory than most() of them.
    void cut(std::size_t row, std::vector<Ellipse>& to) const;
    std::size_t most() const { return solids_.size() * planes_.size(); }

    // What values are multiplied by for any sum of them to be a 64-bit integer.
    double scale() const { return scale_; }

private:
    std::vector<Solid> solids_;
    Places planes_;
    double middle_;
    double scale_ = 1;
};

// Detector pixels of the phantom's unit.
double unit_of(const PhantomView& view, std::size_t detectors);

}  // namespace stend::tomo::ellipsoids
