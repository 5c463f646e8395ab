// What a variant computes with: functions over a few rows of pixels or a block of a matrix,
// compiled for its lanes. Steps (convolution3.h, transposed.h) call them and are compiled once.
//
// F(4×4, 3×3): 4×4 outputs of a 3×3 convolution from 6×6 inputs by 36 products instead of 144; for
// each of the 36 elements of transformed tiles, the sums over input channels are a matrix product
// of its own. Lavin, Gray, "Fast Algorithms for Convolutional Neural Networks", CVPR 2016.
#pragma once

#include <cstddef>

#include "unet/float32/arithmetic.h"

namespace stend::unet::winograd {

inline constexpr std::size_t tile = 4, window = tile + 2, elements = window * window;

// Channels of a plane, and so of a line of the cache.
inline constexpr std::size_t line = 16;

// Several tiles of one plane, beside each other.
struct InputTiles {
    const float* pixel;    // the first tile's upper left one, a row and a column before its outputs
    std::ptrdiff_t pitch;  // floats from a row of pixels to the next
    std::size_t count;
    float* to;              // element 0 of the first tile; the next tile's is a line further
    std::ptrdiff_t stride;  // floats from an element to the next
};

struct OutputTiles {
    const float* from;  // as InputTiles::to
    std::ptrdiff_t stride;
    std::size_t count;
    const float* bias;  // of the plane's channels
    bool relu;
    float* pixel;  // the first tile's first output
    std::ptrdiff_t pitch;
    std::size_t rows, columns;  // outputs that there are, of all these tiles
    float* pooled;              // where their 2×2 max pooling goes, or null
    std::ptrdiff_t pooled_pitch;
};

// C = A·B: rows are tiles or pixels, sums are over the input channels, columns are a panel of
// output channels.
struct Product {
    std::size_t rows;
    const float* a;                 // the first row's first line, in the first plane of inputs
    const std::ptrdiff_t* offsets;  // from it to the same in each plane, in floats
    std::size_t planes;
    const float* b;        // [planes × line][channels]
    std::size_t channels;  // a panel's, or as many less as are left; whole vectors
    // The first row's lines of C: of the panel's first `line` channels and of those after them.
    float* c[2];
    std::ptrdiff_t step;  // from a row of C to the next, in floats
    bool add;             // C += A·B
    const float* bias;    // of the panel's channels, or null
    bool relu;
    const float* next;  // as much as b, that will be read after it, or null
};

struct Kernels {
    // Output channels that are computed together. Weights of a layer lie in panels of so many, or
    // of `line` if that is more.
    std::size_t panel;
    void (*input)(const InputTiles&);
    void (*output)(const OutputTiles&);
    void (*product)(const Product&);
    // Of `channels` input channels: weights [channel][9][width], width whole lines or a panel, to
    // transformed ones [element][channel][width], `stride` floats from an element to the next.
    void (*filters)(const float* weights, std::size_t channels, std::size_t width, float* to,
                    std::ptrdiff_t stride);
};

// Each variant's, and what computes the rest of its layers.
extern const Kernels portable;
extern const float32::Arithmetic portable_rest;
#if defined(__x86_64__)
extern const Kernels avx2, avx512;
extern const float32::Arithmetic avx2_rest, avx512_rest;
#endif

}  // namespace stend::unet::winograd
