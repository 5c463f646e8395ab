// Phantoms: objects made of ellipsoids, whose pictures and line integrals are known exactly; what
// reconstructions are tried on.
//
// Conventions are those of parallel.hpp. A phantom has a unit of length of its own: half the field
// of view, so that it lies in [-1, 1]; a PhantomView says how many detector pixels that is. z is
// along the axis of rotation, upwards; row 0 of a detector and slice 0 of a volume are at the top.
// Attenuation is a pure number, 1 being that of the phantom's unit of value; line integrals are
// value × detector pixels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stend/tomo/parallel.hpp>
#include <string_view>
#include <vector>

namespace stend::tomo {

// An ellipsoid adds its value to the attenuation at every point inside it. Values that aren't 0 and
// semi-axes are 1e-30 to 1e30, and no ellipsoid is more than 1e6 times as long as it is thick.
struct Ellipsoid {
    double value;
    double a, b, c;          // semi-axes; c may be infinite, the cylinder of a 2D phantom
    double x, y, z;          // the middle
    double phi, theta, psi;  // radians; Euler angles z, x′, z″ (Goldstein): the ellipsoid is
                             // turned about z by phi, counter-clockwise, and so on
};

// By name:
//   shepp-logan              in two dimensions (Shepp and Logan, IEEE Trans. Nucl. Sci. 21, 1974,
//                            table I; Kak and Slaney 1988, table 3.1): the skull 2, the brain 1.02
//   modified-shepp-logan     the same ellipses in Toft's contrast (The Radon Transform, 1996,
//                            table B.3): the skull 1, the brain .2
//   shepp-logan-3d           Kak and Slaney 1988, table 3.2
//   modified-shepp-logan-3d  Schabel's (phantom3d, MATLAB Central 9416, 2006), in Toft's contrast
//   may-beetle               made up by a fixed formula: shells, limbs and organs, from half the
//                            field of view in size down to about a pixel of 1175
// Throws std::invalid_argument for another name.
std::vector<Ellipsoid> phantom(std::string_view name);
std::vector<std::string_view> phantoms();

// Over what a detector pixel averages line integrals.
enum class Footprint : std::uint8_t {
    point,  // nothing: the ray through its middle
    width,  // its width, at the middle of its height: what reconstructions in slices assume
    area,   // its width and, at Gauss and Legendre's four points, its height
};

// A phantom before a detector.
struct PhantomView {
    std::size_t rows = 1;  // of the detector; slices
    // Detector pixels that the phantom's unit is long; half the detector's width when not given.
    std::optional<double> unit = {};
    std::optional<double> middle = {};  // the row, counted from 0, of z = 0; (rows - 1) / 2
    Footprint footprint = Footprint::width;
    std::string_view variant = {};  // the machine's best when empty
    unsigned threads = 1;
};

// Where line integrals go: strides in floats, as in parallel.hpp; the pixels of a detector row
// follow on each other.
struct LineIntegrals {
    float* data = nullptr;
    std::ptrdiff_t row_stride = 0;
    std::ptrdiff_t angle_stride = 0;
};

// Line integrals of detector rows first … last - 1 by parallel rays, exact but for rounding: a
// chord of an ellipsoid is a square root, its average over a width has a closed form. The result
// doesn't depend on the number of threads, nor on which rows are asked for together. Throws
// std::invalid_argument, with a sentence, for what makes no sense; std::system_error when the
// system makes no more threads; std::bad_alloc.
void project(std::span<const Ellipsoid> phantom, const ParallelBeam& beam, const PhantomView& view,
             std::size_t first, std::size_t last, const LineIntegrals& to);

// Rays from a point. At the angle β the source is at source · (-sin β, cos β), its ray through the
// axis runs towards (sin β, -cos β), and detector pixels are counted along (cos β, sin β) (Kak and
// Slaney 1988, 3.4). Lengths are in detector pixels as seen at the axis; PhantomView's unit is by
// default what every ray sees, source · sin γ with γ half the fan's angle.
struct DivergentBeam {
    enum class Shape : std::uint8_t {
        fans,         // each row has a source at its own height, before a flat detector
        curved_fans,  // the same, the detector's rows being arcs around the source, of less than
                      // 90° to either side of the ray through the axis
        cone,         // one source at z = 0 before a flat detector
    };
    Shape shape = Shape::fans;
    std::size_t detectors = 0;   // pixels of a row of the detector
    std::vector<double> angles;  // radians
    // From the axis, in detector pixels as seen there: the distance from the source to the
    // detector, in detector pixels.
    double source = 0;
    std::optional<double> center = {};  // the pixel of the ray through the axis; the middle
};

// The same for these rays. A single ray is exact; Footprint::width averages four rays at Gauss and
// Legendre's points of a pixel's width, Footprint::area four by four.
void project(std::span<const Ellipsoid> phantom, const DivergentBeam& beam, const PhantomView& view,
             std::size_t first, std::size_t last, const LineIntegrals& to);

// How finely a slice is drawn: its pixels are averages over `planes` planes of their thickness and
// `lines` lines in each, evenly spaced, along which they are exact.
struct Fineness {
    unsigned lines = 16;
    unsigned planes = 1;  // the slice's own plane, what Footprint::width sees
};

// Slices first … last - 1 of the phantom that `view` puts before a detector of `detectors` pixels;
// grid.pixel is their pixels' side, a detector pixel their distance. Throws as project() does.
void draw(std::span<const Ellipsoid> phantom, std::size_t detectors, const SliceGrid& grid,
          const PhantomView& view, const Fineness& fineness, std::size_t first, std::size_t last,
          const Slices& to);

// Names of the variants of project() that this machine runs, slowest first.
std::vector<std::string_view> phantom_variants();

}  // namespace stend::tomo
