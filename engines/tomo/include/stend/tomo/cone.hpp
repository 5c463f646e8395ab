// Volumes from projections of a cone beam whose source goes around the axis in a circle.
//
// Conventions, beside those of parallel.hpp and fan.hpp: the detector is flat, at right angles to
// the ray through the axis; its columns are counted along (cos β, sin β), its rows along z, and so
// are the volume's slices. Lengths are in one unit, whichever; attenuation per that unit comes out.
#pragma once

#include <functional>
#include <stend/tomo/fan.hpp>

namespace stend::tomo {

struct ConeBeam {
    std::size_t columns = 0;     // pixels of a row of the detector
    std::size_t rows = 0;        // and how many rows
    std::vector<double> angles;  // of the source, radians, in any order
    double source_to_axis = 0;
    double source_to_detector = 0;
    double pitch = 1;  // from pixel to pixel, both ways
    // Where the ray that crosses the axis at a right angle meets the detector, in pixels; the
    // middle when not given. Its height is z = 0. The rows may be a band of the detector's that is
    // far from that one: a slab of slices needs no others.
    std::optional<double> center_column = {};
    std::optional<double> center_row = {};
};

// The source is outside of all slices.
struct VolumeGrid {
    std::size_t size = 0;    // voxels of a slice's side
    std::size_t slices = 0;  // voxels along z
    double voxel = 1;        // a voxel's side
    double middle = 0;       // z of the middle of the slices: a volume may be made in slabs
};

struct ConeMethod {
    Filter filter = {};
    OnThreads how = {};
};

// Where projections lie; strides in floats, as in parallel.hpp; the pixels of a detector row follow
// on each other.
struct ConeProjections {
    const float* data = nullptr;
    std::ptrdiff_t angle_stride = 0;
    std::ptrdiff_t row_stride = 0;
};

// Filtered back projection along the rays of the cone (Feldkamp, Davis and Kress, Journal of the
// Optical Society of America A 1(6), 1984, 612). Of rays that are measured twice, the weights' sum
// is one: on a short scan of half a turn and the fan's angle or more (Parker, Medical Physics 9(2),
// 1982, 254, with the fan's angle stretched to the scan: Silver, Medical Physics 27(4), 2000, 773),
// and on a whole turn where the detector reaches farther on one side (Wang, Medical Physics 29(7),
// 2002, 1634). Made once and used for any number of volumes, one at a time.
class ConeReconstruction {
public:
    // Throws std::invalid_argument, with a sentence, for a geometry that makes no sense, a scan
    // that is too short, and a variant that there isn't or that this machine can't run;
    // std::bad_alloc.
    ConeReconstruction(const ConeBeam& beam, const VolumeGrid& grid, const ConeMethod& method = {});
    ConeReconstruction(ConeReconstruction&&) noexcept;
    ConeReconstruction& operator=(ConeReconstruction&&) noexcept;
    ~ConeReconstruction();

    // The result does not depend on the number of threads. `meanwhile` is called before each few
    // projections; what it throws ends the run, with sums of a part of them in `to`. Throws
    // std::system_error when the system makes no
    // more threads.
    void run(const ConeProjections& from, const Slices& to,
             const std::function<void()>& meanwhile = {});

    std::string_view variant() const;
    std::size_t bytes() const;  // of tables and memory

private:
    struct State;
    std::unique_ptr<State> state_;
};

// Names of the variants that this machine runs, slowest first; the last is the default.
std::vector<std::string_view> cone_variants();

}  // namespace stend::tomo
