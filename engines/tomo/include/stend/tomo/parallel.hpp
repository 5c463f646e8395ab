// Slices from projections of a parallel beam.
//
// Conventions. A slice is an image of size × size pixels, row 0 at the top; x grows to the right, y
// upwards, both from the slice's middle, which is the axis of rotation, and pixels are measured at
// their centres. At the angle θ the ray through (x, y) meets the detector at
//     s = x cos θ + y sin θ
// from where the axis projects to (Kak and Slaney, Principles of Computerized Tomographic Imaging,
// 1988, equation 3.2). Detector pixels are counted from 0 at their centres.
//
// Lengths are in detector pixels: line integrals go in as attenuation × detector pixels (the
// negative logarithm of the transmission), attenuation per detector pixel comes out.
//
// Where data lie. Whatever is given an address and strides, in numbers, looks at them once a call,
// and throws std::invalid_argument, with a sentence, for an address that is null where something is
// to be read or written, and for strides beyond what can be addressed. What is read may lie anyhow:
// strides may be negative or 0. Of what is written one stride goes at least past a row, and the
// other one past all the rows that the first one counts; which is which doesn't matter, nor in
// which direction they go: so nothing is written twice. Unless it's said, what is written must not
// overlap what is read.
#pragma once

#if __cplusplus < 202002L
#error "stend/tomo needs C++20: compile with -std=c++20 or later"
#endif

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace stend::tomo {

// dfr takes projections of up to 357,913,941 Fourier samples, hfbp and hfbp_fine, but for their
// references, up to 8192 projections; what is beyond is refused with a sentence.
enum class Algorithm : std::uint8_t {
    fbp,        // filtered back projection, linear interpolation
    fbp_int16,  // the same in 16-bit integers
    dfr,        // direct Fourier reconstruction: fast; the sharpest of many views with little noise
    dfr_half,   // the same, with what it puts into memory halfway in half precision: the fastest
    hfbp,       // filtered back projection by the fast Hough transform
    hfbp_fine,  // the same on rows twice as fine
};

// What the ramp |f| is multiplied by, f in cycles a detector pixel.
enum class Window : std::uint8_t {
    ram_lak,      // 1
    shepp_logan,  // sin(πf) / πf
    sinc2,        // its square
    cosine,       // cos πf
    hamming,      // 0.54 + 0.46 cos 2πf
    hann,         // 0.5 + 0.5 cos 2πf
};

struct Filter {
    Window window = Window::ram_lak;
    // The part of the band that is kept, above 0 and up to 1: the window is squeezed into it.
    double cutoff = 1;
};

struct ParallelBeam {
    std::size_t detectors = 0;   // pixels of a row of the detector, 1 to 32768
    std::vector<double> angles;  // radians, in any order, over any range
    // Where the axis of rotation projects to, in detector pixels; the middle when not given. At
    // most the detector's width away from it.
    std::optional<double> center = {};
};

struct SliceGrid {
    std::size_t size = 0;  // pixels of a side, 1 to 32768
    // A pixel's side in detector pixels, 1/1024 or more; that of the slice is at most 131072.
    double pixel = 1;
};

struct Method {
    Algorithm algorithm = Algorithm::dfr;
    Filter filter = {};
    // Radians over which projections at both ends of a scan of more than half a turn fade into
    // those from the opposite side.
    double taper = 0;
    std::string_view variant = {};  // the machine's best when empty
    unsigned threads = 1;
};

// Where projections lie: strides in floats; the pixels of a detector row follow on each other.
// Sinograms one after the other (slice, angle, pixel) or projections as scanners write them (angle,
// slice, pixel).
struct Sinograms {
    const float* data = nullptr;
    std::ptrdiff_t slice_stride = 0;
    std::ptrdiff_t angle_stride = 0;
};

// Where slices go; the pixels of a row follow on each other.
struct Slices {
    float* data = nullptr;
    std::ptrdiff_t slice_stride = 0;
    std::ptrdiff_t row_stride = 0;
};

// Slices that are only read; strides in floats, as in parallel.hpp.
struct SlicesToRead {
    const float* data = nullptr;
    std::ptrdiff_t slice_stride = 0;
    std::ptrdiff_t row_stride = 0;
};

// Where sinograms go; strides in floats, as in parallel.hpp.
struct SinogramsToWrite {
    float* data = nullptr;
    std::ptrdiff_t slice_stride = 0;
    std::ptrdiff_t angle_stride = 0;
};

// How what has but one algorithm is computed.
struct OnThreads {
    std::string_view variant = {};  // the machine's best when empty
    unsigned threads = 1;
};

// The weight of each projection in the integral over directions: the part of the half circle that
// is nearer to its direction than to any other's (its Voronoi cell modulo π); projections of the
// same direction share. The sum is π, less the part of gaps that no projection stands for: a gap
// counts at most as 5° or 1.62 times the usual one (half of the half circle lies in gaps up to it,
// the widest left aside), whichever is wider.
//
// With a taper, and a scan over more than π (from its smallest angle to its largest), a projection
// at a distance t from the nearer end of the scan keeps sin²(πt / 2 taper) of its share, taper
// being at most what the scan has beyond π; the rest goes to the projections of the same direction,
// which were taken from the opposite side, or to the nearest two when there is none. Shares of each
// direction still add up to its cell. Where the taper is all of what the scan has beyond π, these
// are Parker's weights for a parallel beam (Parker, Medical Physics 9, 1982, 254; Silver, Medical
// Physics 27, 2000, 773).
//
// Throws std::invalid_argument for angles that aren't finite and a taper that isn't 0 or more.
std::vector<double> angle_weights(std::span<const double> angles, double taper = 0);

// A geometry and a method with their tables and memory: to be made once and used for any number of
// slices. One run at a time.
class Reconstruction {
public:
    // Throws std::invalid_argument, with a sentence, for a geometry that makes no sense and for a
    // variant that there isn't or that this machine can't run; std::system_error when the system
    // makes no more threads; std::bad_alloc.
    Reconstruction(const ParallelBeam& beam, const SliceGrid& grid, const Method& method = {});
    Reconstruction(Reconstruction&&) noexcept;
    Reconstruction& operator=(Reconstruction&&) noexcept;
    ~Reconstruction();

    // Reconstructs `slices` slices; the result does not depend on the number of threads, nor
    // on which slices are reconstructed together. Throws std::invalid_argument for views that make
    // no sense, and std::system_error when the system makes no more threads.
    void run(const Sinograms& from, std::size_t slices, const Slices& to);

    std::string_view variant() const;
    std::size_t together() const;  // slices that are reconstructed at once, in SIMD lanes
    std::size_t bytes() const;     // of tables and memory

private:
    struct State;
    std::unique_ptr<State> state_;
};

// Names of the variants of an algorithm that this machine runs, slowest first; the last is the
// default.
std::vector<std::string_view> variants(Algorithm algorithm);

}  // namespace stend::tomo
