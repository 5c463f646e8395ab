// How a layer's matrix product is divided into items: rows of the map, and output channels. Always
// in the same way, for a BLAS may add in another order when matrices have other sides.
#pragma once

#include <algorithm>
#include <cstddef>

#include "unet/blas/map.h"

namespace stend::unet::blas {

class Strips {
public:
    // Rows of `map`, `channels` of which `most` are computed at a time.
    Strips(const Map& map, std::size_t channels, std::size_t most)
        : height_(map.height()),
          rows_(std::clamp<std::size_t>(columns / map.pitch(), 1, height_)),
          channels_(channels),
          most_(std::min(most, channels)) {}

    struct Item {
        std::size_t row, rows, channel, channels;
    };

    std::size_t count() const { return in(height_, rows_) * in(channels_, most_); }

    Item operator[](std::size_t item) const {
        const std::size_t blocks = in(channels_, most_), row = item / blocks * rows_,
                          channel = item % blocks * most_;
        return {row, std::min(rows_, height_ - row), channel, std::min(most_, channels_ - channel)};
    }

    std::size_t most_rows() const { return rows_; }
    std::size_t most_channels() const { return most_; }

private:
    // Enough for a BLAS to come near its best rate, few enough for a strip to stay in the cache.
    static constexpr std::size_t columns = 2048;

    static std::size_t in(std::size_t whole, std::size_t part) { return (whole + part - 1) / part; }

    std::size_t height_, rows_, channels_, most_;
};

}  // namespace stend::unet::blas
