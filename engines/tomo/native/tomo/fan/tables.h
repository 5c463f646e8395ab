// Where each parallel ray lies between rays of the fan, for one geometry.
#pragma once

#include <array>
#include <cstdint>
#include <stend/tomo/fan.hpp>
#include <vector>

namespace stend::tomo::fan {

// A value between neighbours `first`, first + 1 …: the polynomial through them (Lagrange).
inline constexpr unsigned neighbours = 4;

struct Between {
    std::uint32_t first;
    std::array<float, neighbours> weights;
};

struct Tables {
    std::size_t detectors;           // pixels of the fan's rows
    std::vector<std::size_t> order;  // of its projections, by source angle, none twice
    ParallelBeam beam;               // what it is turned into
    double pixel;                    // of that
    std::vector<Between> across;     // [pixel]: between detector pixels
    // [angle][pixel]: between source angles, in that order; after the last comes the first.
    std::vector<Between> around;
};

// Throws std::invalid_argument for a geometry that makes no sense and a scan that is too short.
Tables tables(const FanBeam& beam);

}  // namespace stend::tomo::fan
