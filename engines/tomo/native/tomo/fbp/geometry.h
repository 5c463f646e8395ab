// Where filtered projections lie in memory, and where the rays through a tile of pixels meet them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tomo/engine.h"

namespace stend::tomo::fbp {

// Pixels that are computed together: what they need of some projections stays in the first-level
// cache. A region of tiles shares what it needs of them in the second-level cache.
inline constexpr std::size_t tile_width = 16, tile_height = 8;
inline constexpr std::size_t region_side = 64;
// Projections that a tile takes at once.
inline constexpr std::size_t block = 8;

// Positions on a projection are fixed-point numbers of samples.
inline constexpr unsigned fraction_bits = 20;

// The rays through a tile at one angle: where the first pixel's meets the projection, and how far
// the next pixel's and the next row's are from it.
struct Rays {
    std::size_t first_sample;  // positions count from here
    std::int64_t at, across, down;
};

class Geometry {
public:
    // Positions are for weights chosen by that many bits of the fraction: half a step is added, so
    // that cutting them is rounding.
    Geometry(const Plan& plan, unsigned weight_bits);
    // Not in the variants' files, whose instructions it would have and leave to all others.
    ~Geometry();

    std::size_t bytes() const;
    std::size_t size() const { return size_; }
    std::size_t angles() const { return directions_.size(); }
    std::size_t detectors() const { return detectors_; }

    // A projection's samples: `margin` zeros, its pixels, and zeros again. An odd number, or
    // those of all projections would fall together in the caches.
    std::size_t samples() const { return samples_; }
    std::size_t margin() const { return margin_; }

    // True when rays may meet a projection's line outside of its samples: pixels are so large that
    // margins would cost more than asking.
    bool outside() const { return outside_; }

    // The rays through the tile whose first pixel is given; false when none meets the projection.
    bool rays(std::size_t angle, std::size_t row, std::size_t column, Rays& rays) const;

private:
    struct Direction {
        double across, down;  // samples from a pixel to the next and to the next row
    };

    std::size_t detectors_, size_;
    double center_, middle_, half_step_;
    std::vector<Direction> directions_;
    bool outside_;
    std::size_t margin_, samples_;
};

}  // namespace stend::tomo::fbp
