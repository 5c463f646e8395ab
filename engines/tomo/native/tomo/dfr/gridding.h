// Gridding by gathering (O'Sullivan, IEEE Trans. Med. Imaging MI-4(4), 1985, turned around): for
// each pair of cells of the grid's right half, which samples reach it, and with what weight. The
// image is real, so the left half is the conjugate and is never formed.
#pragma once

#include <cstdint>

#include "buffers/buffer.h"
#include "tomo/dfr/bands.h"
#include "tomo/dfr/kernel.h"

namespace stend::tomo::dfr {

// What two cells, one above the other, get of a sample: loaded once for both.
struct Entry {
    std::uint32_t place;  // of the sample
    float upper, lower;   // weights
};

// Entries of the cells [column][2 × pair] and [column][2 × pair + 1] are those from begin[column ×
// side / 2 + pair] up to the next one's.
struct Lists {
    Buffer<std::uint32_t> begin;
    Buffer<Entry> entries;
    std::size_t count = 0;
};

struct Gridding {
    // Where each sample of each angle is kept: by the cell that it lies in, column after column, so
    // that those of neighbouring cells are neighbours in memory.
    Buffer<std::uint32_t> places;
    // The first place in each column of cells.
    std::vector<std::uint32_t> columns;
    Lists direct;
    // Samples reach over frequency 0 and over the highest one with their conjugates, in the first
    // and last columns.
    Lists conjugate;

    std::size_t bytes() const;
};

Gridding gridding_of(const Plan& plan, const Geometry& geometry, const std::vector<Band>& bands,
                     const Kernel& kernel);

}  // namespace stend::tomo::dfr
