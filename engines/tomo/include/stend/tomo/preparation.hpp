// From what a detector counts to line integrals: flat and dark fields, the logarithm, zingers and
// stripes, on a slab of detector rows at a time: all angles, some rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stend/tomo/parallel.hpp>
#include <string_view>
#include <vector>

namespace stend::tomo {

struct Extent {
    std::size_t angles = 0, rows = 0, columns = 0;
};

// Images one after the other: (angle, row, column). Strides in pixels, as in parallel.hpp; the
// pixels of a row follow on each other.
template <typename Pixel>
struct Stack {
    Pixel* data = nullptr;
    std::ptrdiff_t angle_stride = 0;
    std::ptrdiff_t row_stride = 0;
};

// What a detector pixel counts without the beam, and 1 over what the sample's absence adds to it;
// (row, column), without gaps. A gain of 0 marks a pixel that tells nothing: it counts as limited.
struct Fields {
    const float* dark = nullptr;
    const float* gain = nullptr;
};

struct Limits {
    // Of the transmission: 0 < least < most; 1.17549e-38 or more, what has all its digits.
    float least = 0, most = 0;
};

enum class Result : std::uint8_t {
    transmission,    // (counts - dark) · gain, within the limits
    line_integrals,  // its negative logarithm, to 2 units in the last place or 1e-7
};

struct Seen {
    std::size_t limited = 0;  // pixels at or beyond a limit, and those that aren't numbers
    // Counts that are no numbers, taken for the least transmission, and infinite ones, taken for
    // the limit that they are beyond. A caller who can't say why there are some had better refuse
    // them all.
    std::size_t not_finite = 0;
};

// Every function below throws std::invalid_argument, with a sentence, for numbers that make no
// sense, for a variant that there isn't, for no threads and for stacks that can't be read or
// written, and std::system_error when the system makes no more threads. Results don't depend on the
// number of threads.

// `to` may be `counts` itself where both are floats.
Seen normalize(const Stack<const std::uint16_t>& counts, const Extent& extent, const Fields& fields,
               const Limits& limits, Result result, const Stack<float>& to,
               const OnThreads& how = {});
Seen normalize(const Stack<const float>& counts, const Extent& extent, const Fields& fields,
               const Limits& limits, Result result, const Stack<float>& to,
               const OnThreads& how = {});

// Replaces what is over (1 + share) times the same pixel in both neighbouring images by the
// brighter of these; returns how many pixels. The first and the last image, which have one
// neighbour, take the two nearest. At least 3 images; `to` must not overlap `from`.
std::size_t remove_zingers(const Stack<const std::uint16_t>& from, const Extent& extent,
                           float share, const Stack<std::uint16_t>& to, const OnThreads& how = {});
std::size_t remove_zingers(const Stack<const float>& from, const Extent& extent, float share,
                           const Stack<float>& to, const OnThreads& how = {});

// Stripes by sorting (Vo, Atwood, Drakopoulos, Optics Express 26(22), 2018, algorithm 3): each
// column of a sinogram is sorted, each rank smoothed by a median over `window` columns (odd, up to
// 32767; the sinogram, of up to 32768 columns, is mirrored at its sides), and the values put back
// where they came from. Finite values only; `to` may be `from` itself. Takes 12 bytes a pixel of a
// sinogram on each thread, and throws std::bad_alloc where there are none.
void remove_stripes(const Stack<const float>& from, const Extent& extent, std::size_t window,
                    const Stack<float>& to, const OnThreads& how = {});

// Names of the variants of preparation that this machine runs, slowest first.
std::vector<std::string_view> preparation_variants();

}  // namespace stend::tomo
