// Gridding by gathering (O'Sullivan, IEEE Trans. Med. Imaging MI-4(4), 1985, turned around): for
// each cell of the grid's right half, which samples reach it, and with what weight. The image is
// real, so the left half is the conjugate and is never formed.
#pragma once

#include <cstdint>

#include "buffers/buffer.h"
#include "tomo/dfr/bands.h"
#include "tomo/dfr/kernel.h"

namespace stend::tomo::dfr {

struct Entry {
    std::uint32_t sample;  // its place
    float weight;
};

// Entries of cell [column][row] are those from begin[cell] up to begin[cell + 1].
struct Lists {
    Buffer<std::uint32_t> begin;
    Buffer<Entry> entries;
    std::size_t count = 0;
};

struct Gridding {
    // Where each sample of each angle is kept: by the cell that it lies in, column after column, so
    // that those of neighbouring cells are neighbours in memory.
    Buffer<std::uint32_t> places;
    Lists direct;
    // Samples reach over frequency 0 and over the highest one with their conjugates, in the first
    // and last columns.
    Lists conjugate;

    std::size_t bytes() const;
};

// How many entries after the last one may be read, for prefetching: they are zero.
inline constexpr std::size_t entries_ahead = 64;

Gridding gridding_of(const Plan& plan, const Geometry& geometry, const std::vector<Band>& bands,
                     const Kernel& kernel);

}  // namespace stend::tomo::dfr
